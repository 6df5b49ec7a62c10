import Foundation
import OpenAPIClient

let api = OpenAPIClientAPIConfiguration(basePath: "http://127.0.0.1:8000")

let request = DicePokerSessionRequest(variant: .dicePoker, players: ["ann", "ben"])
let created = try await SessionsAPI.createSession(
    sessionRequest: .typeDicePokerSessionRequest(request),
    idempotencyKey: UUID().uuidString,
    apiConfiguration: api
)
guard case .typeDicePokerNewSession(let session) = created else { fatalError() }
api.customHeaders["Authorization"] = "Bearer \(session.tokens.players["ann"]!)"

func act(_ action: Action, version: Int) async throws -> Session {
    // The version in quotes is enough for If-Match: Foundation changes the case of headers.
    try await SessionsAPI.actInSession(
        sessionId: session.id,
        ifMatch: "\"\(version)\"",
        action: action,
        idempotencyKey: UUID().uuidString,
        apiConfiguration: api
    )
}

let rolled = try await act(.typeRollAction(RollAction(action: .roll)), version: session.version)
guard case .typeDicePokerSession(let game) = rolled else { fatalError() }
print(game.state.turn!.rollsLeft)
// 2

do {
    _ = try await act(.typeBankAction(BankAction(action: .bank)), version: game.version)
} catch ErrorResponse.error(_, let data?, _, _) {
    print(try JSONDecoder().decode(IllegalAction.self, from: data).detail)
}
// /action must be roll, score, cross_out or leave now.
