import java.util.UUID
import kotlinx.coroutines.runBlocking
import kotlinx.serialization.decodeFromString
import org.openapitools.client.apis.SessionsApi
import org.openapitools.client.infrastructure.ApiClient
import org.openapitools.client.infrastructure.Serializer
import org.openapitools.client.models.*

const val URL = "http://127.0.0.1:8000"

fun main() = runBlocking {
    Serializer.kotlinxSerializationJsonConfiguration = { explicitNulls = false }

    val request = DicePokerSessionRequest(
        DicePokerSessionRequest.Variant.DICE_POKER, listOf("ann", "ben"),
    )
    val created = ApiClient(URL).createService(SessionsApi::class.java)
        .createSession(SessionRequest.DicePokerWrapper(request), UUID.randomUUID().toString())
    val session = (created.body() as NewSession.DicePokerWrapper).value
    val ann = ApiClient(URL, authName = "token", bearerToken = session.tokens.players["ann"]!!)
        .createService(SessionsApi::class.java)

    suspend fun act(action: Action, version: Int) = ann.actInSession(
        session.id, "\"$version\"", action, idempotencyKey = UUID.randomUUID().toString(),
    )

    val rolled = act(Action.RollWrapper(RollAction(RollAction.Action.ROLL)), session.version)
    val game = (rolled.body() as Session.DicePokerWrapper).value
    println(game.state.turn?.rollsLeft)
    // 2

    val refused = act(Action.BankWrapper(BankAction(BankAction.Action.BANK)), game.version)
    val problem = Serializer.kotlinxSerializationJson
        .decodeFromString<IllegalAction>(refused.errorBody()!!.string())
    println(problem.detail)
    // /action must be roll, score, cross_out or leave now.
}
