"""The dictionary with which zlib compresses stored sessions.

It is part of the format of `service.sessions.store.codec`: changing it changes `FORMAT_VERSION`. It
consists of pieces of real events, states and terms, by kind of game. The most frequent ones are at
the end, because zlib needs fewer bits for short distances.
"""

from __future__ import annotations

DICTIONARY = (
    # Terms.
    rb'{"layout":[],"variant":"","players":[""],"rules":{},"seed":"","client_seed":"","tokens":[""]'
    rb',"created_at":"seconds":86400}'
    # roll-a-royal.
    rb',"reason":"The risk die shows ],[{"what":"passed","player":","bank",{},[],[{"what":"banked",'
    b'"player":"],[{"what":"risked","player":","risk",{},[).","reason":"A turn that doesn\'t open '
    rb'scores nothing (R points count as they are, without a risk roll (R"],"values":{"}},"totals":'
    rb'[,{"throws":{"among":["],"played":,"lay",{"layout":null},[],[{"what":"laid","player":","prov'
    rb'en":true,"reason":"The layout is worth  points, and none is worth more (R)."}]]],"best_point'
    rb's":).","total":","points":,"roll",{},['
    # Hold'em.
    rb'],"places":[{"place":],"pockets":[[],[],[],[]],"paid":[]],"folded":[],"community":[],"stage"'
    rb':,"eligible":[","roll_river",{},[,"check"],[,"call"]]","community":[,"roll_turn",{},[","hand'
    rb's":[{"id":","players":["},"winners":[],"news":[]}]","pocket":[],"best":[],"unshown":,"fold",'
    rb'{},[],[{"what":"won_without_showing","player":"},"reason":"Everyone else has folded, so  tak'
    rb'es the pot without showing (H)."}]],[,"roll_flop",{},[},"again":false,"last":{"dealer":,"bet'
    rb'ting":{"put":[],"to_act":[],"raises":,"dealer":,"chips":[,{"hand":,"call"],[,"check"]],"rais'
    rb'e",{"amount":,"bet",{"amount":,"roll_pocket",{},['
    # Beat it or bust.
    rb',"reason":"The last player rolled the highest hand (P,"stop",{},[],[{"what":"put_out","playe'
    rb'r":","dice":[],"rolls":,"roll",{"keep":[]},[,"reason":"The highest hand takes the pot (P,"st'
    rb'op",{},[],[{"what":"busts","player":",{"phase":"rolling","round":],"holder":)."},{"what":"co'
    rb'llects","player":","ante",{"amount":","reason":"The winner of the pot begins the next round '
    rb'(P)."},{"what":"round_begins","round":","amount":","dice":[,"starter":,"stacks":[,"price":,"'
    rb'turn":],"rank":"no_combination","strength":,"meet"],['
    # Score cards, which have the most events: boxes, then rolls.
    rb'","reason":"All cards are full (D8)."},{"what":"game_over","winners":["[{"what":"begins","pl'
    rb'ayer":"","reason":" threw the most,  and begins (Y2)."}],"throw",{},[,[-1,"time_up",{},[],[{'
    b'"what":"time_up","player":"","reason":"\'s time was up, so the dice go where they are worth '
    rb'most: "rules":{"extra_five_bonus":0,"joker":false,"five_alike_is_full_house":false,"turn_sec'
    rb'onds":30},"seed":",{"cards":[[null,null,null,null,null,null,null,null,null,null,null,null,nu'
    rb'll],[],"repeated":[0,0],"starting":null,"begins":0,"turns":,"deadline":null,"winners":[],"ne'
    rb'ws":[{"what":"written","player":""dice":[],"deadline":17,"rolls":1,"dice":[two_triplets two '
    rb"triplets three_pairs three pairs small_yahtzee small yahtzee straight scores 0 in yahtzee (Y"
    rb'5)."}]]]four_of_a_kind five_of_a_kind small_straight large_straight full_house three_of_a_ki'
    rb'nd","score":0,"reason":" scores 30 in large straight (D4)."}]]]  four of a kind five of a ki'
    rb'nd full house three of a kind small straight chance ones twos threes fours fives sixes,"cros'
    rb's_out",{"box":"sixes"},[],[{"what":"crossed_out","player":""box":"sixes","score":0,"reason":'
    rb'" crosses out sixes (D12)."}]]][[0,"score",{"box":"chance"},[],[{"what":"written","player":"'
    rb'","dice":[5,2,6,6,3],"box":"chance","score":15,"reason":"3 4 4 2 2 scores 15 in chance (D4).'
    rb'"}]]][1,"score",{"box":"ones"},[],[{"what":"written","player":"","dice":[5,2,6,6,3,1],"box":'
    rb'"fours","score":4,"reason":"1 3 4 6 5 2 scores 4 in fours (Y4)."}]]],[2,"roll",{},[4,5,6,1,4'
    rb',5]]],[3,"roll",{"keep":[0,1,3,4]},[6,2,2,6,2]]],[1,"roll",{"keep":[2,3]},[1,5,4,3,2]]]'
)
