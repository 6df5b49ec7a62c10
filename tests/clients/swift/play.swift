// Plays a whole game of dice poker, and prints the table's token and the last session as JSON.

import Foundation
import OpenAPIClient

struct Played: Encodable {
    var token: String
    var session: DicePokerSession
}

let api = OpenAPIClientAPIConfiguration(basePath: "http://127.0.0.1:8000")

let request = DicePokerSessionRequest(
    variant: .dicePoker,
    players: ["ann", "ben"],
    houseRules: DicePokerHouseRules(turnSeconds: 86_400)
)
let created = try await SessionsAPI.createSession(
    sessionRequest: .typeDicePokerSessionRequest(request), apiConfiguration: api
)
guard case .typeDicePokerNewSession(let new) = created else { fatalError("\(created)") }
api.customHeaders["Authorization"] = "Bearer \(new.tokens.table)"

func act(_ action: Action, version: Int) async throws -> DicePokerSession {
    let acted = try await SessionsAPI.actInSession(
        sessionId: new.id, ifMatch: "\"\(version)\"", action: action, apiConfiguration: api
    )
    guard case .typeDicePokerSession(let session) = acted else { fatalError("\(acted)") }
    return session
}

var session = try await act(.typeRollAction(RollAction(action: .roll)), version: new.version)
while let turn = session.state.turn {
    let action: Action
    switch turn.best {
    case nil:
        action = .typeRollAction(RollAction(action: .roll))
    case _? where turn.rollsLeft == 2:
        action = .typeRollAction(RollAction(action: .roll, keep: [0, 4]))
    case let best? where best.score > 0:
        action = .typeScoreAction(ScoreAction(action: .score, box: best.box.rawValue))
    case let best?:
        action = .typeCrossOutAction(CrossOutAction(action: .crossOut, box: best.box.rawValue))
    }
    session = try await act(action, version: session.version)
}
let seen = try JSONEncoder().encode(Played(token: new.tokens.table, session: session))
print(String(decoding: seen, as: UTF8.self))
