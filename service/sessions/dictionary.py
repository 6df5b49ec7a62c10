"""What stored sessions are made of again and again, for zlib to look back on.

It belongs to the layout of `service.sessions.record`: a change of it is a new layout. What is most
frequent stands last.
"""

from __future__ import annotations

DICTIONARY = (
    rb'[{"what":"game_over","winners":["places":[{"place":1,"players":["total":"reason"'
    rb':"A total of is more than (D6)."},{"what":"bonus"[-1,"time_up"[0,"cross_out",{"b'
    rb'ox":"[],[{"what":"crossed_out","player":""box":"three_of_a_kind","four_of_a_kind'
    rb'","five_of_a_kind","small_straight","large_straight","full_house","chance","ones'
    rb'","twos","threes","fours","fives","sixes","score":0,"reason":" crosses out sixes'
    rb' (D12)."}]]],[1,"score",{"box":"chance"},[],[{"what":"written","player":"","dice'
    rb'":[5,2,6,6,3],"box":"chance","score":15,"reason":"3 4 4 2 2 scores 15 in chance '
    rb'(D4)."}]]],[1,"roll",{"keep":[0,1,3,4]},[6,2,2,6,2]]]'
)
