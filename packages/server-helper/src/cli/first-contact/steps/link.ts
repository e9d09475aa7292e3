import { randomBytes } from 'node:crypto';
import { changeOf } from '../../../gateway/profile.ts';
import { attemptName } from '../../../ids.ts';
import { askByBothNames } from '../ask-status.ts';
import { type Answer, formOf, isFields, isInvalid, isSuccess, summaryOf } from '../gateway-line.ts';
import { FAILURE_ADDRESS, made, RETURN_ADDRESS, type Step, type Visit } from '../visit.ts';

const SAUDI = '0500000000';
const ABROAD = '971500000000';

/** Our name of a payment says when it was made, in seconds, so that a later run knows its age (N3). */
export const freshName = (): string => {
  const at = Math.floor(Date.now() / 1_000).toString(36);
  return attemptName(`first-contact-${at}-${randomBytes(4).toString('hex')}`, 1);
};

/** The age of a payment by our name of it; `undefined` where the name is not one of a run. */
export function ageMsOf(name: string): number | undefined {
  const [, at] = /^first-contact-([a-z\d]+)-[\da-f]+~1$/.exec(name) ?? [];
  return at === undefined ? undefined : Date.now() - Number.parseInt(at, 36) * 1_000;
}

export async function createLink(visit: Visit, name: string, phone: string): Promise<Answer> {
  const { line, profile } = visit;
  const answer = await line.ask({
    method: 'POST',
    path: '/payment/checkout/intiate',
    body: {
      ...changeOf(profile, 'createPaymentLink').add,
      merchantOrderId: name,
      amount: 1,
      currency: 'SAR',
      customerName: 'First contact',
      customerEmail: 'first-contact@shop.example',
      customerPhone: phone,
      successUrl: RETURN_ADDRESS,
      failureUrl: FAILURE_ADDRESS,
    },
  });
  if (isSuccess(answer)) {
    made(
      visit,
      `a payment link of 1.00 SAR, ${name}`,
      'no payment of it was seen; it ends after 48 hours',
    );
  }
  return answer;
}

/** Makes the link that the other steps speak of (§4.1). */
export const linkStep: Step = {
  name: 'link',
  does: 'creates a payment link of 1.00 SAR and asks its status',
  async run(visit) {
    const { findings, line } = visit;
    const name = freshName();
    const answer = await createLink(visit, name, SAUDI);
    const { id, redirectUrl } = isFields(answer.body) ? answer.body : {};
    const page = typeof redirectUrl === 'string' ? URL.parse(redirectUrl) : null;
    const holds =
      answer.status === 201 && typeof id === 'string' && /^https?:$/.test(page?.protocol ?? '');
    const pageForm = page === null ? formOf(redirectUrl) : 'an address';
    const seen = `${summaryOf(answer)}; id ${formOf(id)}, redirectUrl ${pageForm}`;
    findings.note('§4.1', holds ? 'confirmed' : 'contradicted', seen);
    // An accepted link missed no field.
    if (holds) findings.setUnseen('§4.1', '');
    if (!isSuccess(answer) || typeof id !== 'string') {
      findings.remark(`No link was created: ${findings.wordsOf(answer)}`);
      if (isInvalid(answer)) {
        findings.remark(
          'If it asks for a field that the specification does not state, give it in the profile: operations.createPaymentLink.add',
        );
      }
      return;
    }
    visit.session = id;
    visit.orderName = name;
    visit.page = findings.holdsSecret(page?.href ?? '') ? undefined : page?.href;
    const refusal = page === null ? undefined : visit.refusalOfPage(page.href);
    if (refusal !== undefined) findings.remark(`Payments would not use this link: ${refusal}`);
    visit.unpaid = await askByBothNames(line, id);
  },
};

/** One more link, for a shopper from abroad (N20). */
export const phonesStep: Step = {
  name: 'phones',
  does: 'creates one more link, for a phone number of another country',
  missing: ({ session }) =>
    session === undefined ? 'without an ordinary link its refusal shows nothing' : undefined,
  async run(visit) {
    const answer = await createLink(visit, freshName(), ABROAD);
    const number = 'a number of the Emirates is';
    if (isSuccess(answer)) visit.findings.note('N20', 'confirmed', `${number} accepted`);
    else if (isInvalid(answer)) {
      visit.findings.note('N20', 'different', `${number} refused (${summaryOf(answer)})`);
    }
  },
};
