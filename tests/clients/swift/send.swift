// Each request of `sends` is read as JSON into its type and sent; prints each response as JSON.

import Foundation
import OpenAPIClient

let api = OpenAPIClientAPIConfiguration(basePath: "http://127.0.0.1:8000")

func decoded<Body: Decodable>(_ json: String) throws -> Body {
    try JSONDecoder().decode(Body.self, from: Data(json.utf8))
}

func send<Answer: Encodable>(_ request: () async throws -> Answer) async throws {
    let body: Data
    do {
        body = try await JSONEncoder().encode(request())
    } catch ErrorResponse.error(_, let problem?, _, _) {
        body = problem
    }
    print(String(decoding: body, as: UTF8.self))
}

