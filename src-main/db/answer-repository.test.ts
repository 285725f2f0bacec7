import Sqlite from 'better-sqlite3';
import { expect, it } from 'vitest';
import { migrate } from './database.ts';
import { AnswerRepository } from './answer-repository.ts';

it('AnswerRepository stores a limited number of answers until they expire', () => {
  const connection = new Sqlite(':memory:');
  migrate(connection);
  const answers = new AnswerRepository(connection);
  const answerOf = (key: string, untilMs: number, answer = '{}'): Parameters<AnswerRepository['put']>[0] => ({
    key,
    fingerprint: 'f',
    untilMs,
    answer,
  });
  answers.put(answerOf('a', 1000, '{"status":201}'), 0);
  expect(answers.find('a', 999)).toEqual(answerOf('a', 1000, '{"status":201}'));
  expect([answers.find('a', 1000), answers.find('b', 0)]).toEqual([undefined, undefined]);
  answers.put(answerOf('long', 1000, 'x'.repeat(40_000)), 0);
  expect(answers.find('long', 0)).toBeUndefined();
  answers.put(answerOf('b', 5000), 2000);
  expect(answers.find('a', 0)).toBeUndefined();
  connection.transaction(() => {
    for (let index = 0; index < 10_000; index++) answers.put(answerOf(`n${index}`, 5000), 2000);
  })();
  const count = connection.prepare('SELECT count(*) FROM kept_answer').pluck().get();
  expect([count, answers.find('b', 2000), answers.find('n0', 2000)?.key]).toEqual([10_000, undefined, 'n0']);
});
