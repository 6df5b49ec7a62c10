import 'dart:math';

import 'package:dio/dio.dart';
import 'package:one_of/one_of.dart';
import 'package:openapi/openapi.dart';

String newKey() => List.generate(4, (_) => Random.secure().nextInt(1 << 32)).join('-');

Future<void> main() async {
  final openapi = Openapi(basePathOverride: 'http://127.0.0.1:8000');
  final api = openapi.getSessionsApi();

  final request = DicePokerSessionRequest((b) => b
    ..variant = DicePokerSessionRequestVariantEnum.dicePoker
    ..players.addAll(['ann', 'ben']));
  final created = await api.createSession(
    sessionRequest: SessionRequest((b) => b
      ..oneOf = OneOfDynamic(typeIndex: 0, types: [DicePokerSessionRequest], value: request)),
    idempotencyKey: newKey(),
  );
  final session = created.data!.oneOf.value as DicePokerNewSession;
  openapi.setBearerAuth('token', session.tokens.players['ann']!);

  Future<Response<Session>> act<T extends Object>(T action, int version) => api.actInSession(
        sessionId: session.id,
        ifMatch: '"$version"',
        idempotencyKey: newKey(),
        action: Action((b) => b
          ..oneOf = OneOfDynamic(typeIndex: 0, types: [T], value: action)),
      );

  final roll = RollAction((b) => b..action = RollActionActionEnum.roll);
  final rolled = await act(roll, session.version);
  final game = rolled.data!.oneOf.value;
  if (game is! DicePokerSession) return;
  print(game.state.turn?.rollsLeft);
  // 2

  final bank = BankAction((b) => b..action = BankActionActionEnum.bank);
  try {
    await act(bank, game.version);
  } on DioException catch (refused) {
    final problem = standardSerializers.deserializeWith(
        IllegalAction.serializer, refused.response!.data)!;
    print(problem.detail);
    // /action must be roll, score, cross_out or leave now.
  }
}
