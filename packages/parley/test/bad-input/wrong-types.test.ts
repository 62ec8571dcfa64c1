import { describe, expect, it } from 'vitest';
import { OPERATIONS } from '../../src/model/operations.ts';
import { FORMS, REST_FORMS } from './support/all-forms.ts';
import { expectRefusal, numbersOf, refusalOf } from './support/answers.ts';
import { callings, pathMembers, requestOf, verbOf } from './support/forms.ts';
import { startSubject } from './support/subject.ts';
import { type WrongMember, wrongMembers, wrongQueryTexts } from './support/wrong-values.ts';

/** Where the card does not offer these, nothing is read of them (reference: v1-operations §3). */
const isPush = (operation: keyof typeof OPERATIONS) =>
  'capability' in OPERATIONS[operation] && OPERATIONS[operation].capability === 'pushNotifications';

/** No name is asked for. */
const WITH_PUSH = { push: { resolve: () => [] } };

describe.each(FORMS)('$name', (form) => {
  for (const [operation, calling] of callings(form)) {
    if (verbOf(calling) !== 'POST') continue;
    const inPath = pathMembers(calling);
    const wrong = wrongMembers(form.schema, calling.type, calling.full('t-1')).filter(
      // Without a config that is an object, the request itself may be one.
      ({ field, value }) => !inPath.includes(field) && !(isPush(operation) && field === 'config' && value === null),
    );
    const byField = Object.entries(Object.groupBy(wrong, ({ field }) => field)) as [string, WrongMember[]][];
    if (byField.length === 0) continue;

    it.each(
      byField,
    )(`${operation} refuses everything that %s cannot be [rule:errors.fields] [rule:errors.validate-first]`, async (field, cases) => {
      const subject = startSubject(WITH_PUSH);
      for (const { value, params } of cases) {
        const response = await subject.server.fetch(requestOf(form, operation, params));
        try {
          await expectRefusal(form, response, 'INVALID_PARAMS', [field]);
        } catch (cause) {
          throw new Error(`${field} was ${JSON.stringify(value)}`, { cause });
        }
      }
      await subject.expectNothingStarted();
    });
  }

  it('operations that are not offered say so, whatever their parameters are [rule:errors.code-message]', async () => {
    const subject = startSubject();
    for (const [operation, calling] of callings(form)) {
      if (!isPush(operation)) continue;
      const right = calling.full('t-1');
      const inPath = pathMembers(calling);
      const wrong = wrongMembers(form.schema, calling.type, right).filter(({ field }) => !inPath.includes(field));
      for (const params of [right, ...wrong.map(({ params: changed }) => changed)]) {
        const response = await subject.server.fetch(requestOf(form, operation, params));
        await expectRefusal(form, response, 'PUSH_NOTIFICATION_NOT_SUPPORTED');
      }
    }
    await subject.expectNothingStarted();
  });

  it('several wrong members are all named at once [rule:errors.fields]', async () => {
    const subject = startSubject();
    const params = { ...form.send({ messageId: '', role: 'nobody', [form.parts]: [] }), metadata: 5 };
    const response = await subject.server.fetch(requestOf(form, 'sendMessage', params));
    const { http, code, grpc, fields } = await refusalOf(form, response);
    expect({ http, code, grpc }).toEqual(numbersOf(form, 'INVALID_PARAMS'));
    const named = ['message.messageId', `message.${form.parts}`, 'message.role', 'metadata'];
    expect([...fields].sort()).toEqual(named.sort());
  });
});

describe.each(REST_FORMS)('$name', (form) => {
  for (const [operation, calling] of callings(form)) {
    if (verbOf(calling) !== 'GET') continue;
    const members = Object.entries(form.schema.types[calling.type] ?? {});
    const cases = members
      .map(([name, definition]) => [name, wrongQueryTexts(form.schema, definition.replace('!', ''))] as const)
      .filter(([, texts]) => texts.length > 0);
    if (cases.length === 0) continue;

    it.each(cases)(`${operation} refuses a query whose %s is wrong [rule:errors.fields]`, async (name, texts) => {
      const subject = startSubject(WITH_PUSH);
      const { id } = await subject.peer.send('ask');
      for (const text of texts) {
        const params = { ...calling.full(id), [name]: text };
        const response = await subject.server.fetch(requestOf(form, operation, params));
        await expectRefusal(form, response, 'INVALID_PARAMS', [name]);
      }
    });
  }
});
