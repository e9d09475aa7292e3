import { fine, helpOf, type Check, type CheckResult } from './check.ts';
import { ask, isProblem, shopAddress, type ShopAnswer } from './shop-request.ts';

/** No order has this id: it is refused before anyone looks for it. */
const NO_ORDER = '?doctor';

/** Whether requests arrive at the router whole: in their order, with their bodies. */
export const checkRequests: Check = {
  id: 'requests',
  title: 'Requests',
  needs: ['network', 'publicUrl'],
  async run({ settings }) {
    const checkout = await ask(shopAddress(settings, '/checkout'), {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ orderId: NO_ORDER }),
    });
    if (typeof checkout === 'string') return [unchecked()];
    const status = await ask(shopAddress(settings, '/status/doctor'));
    const problems = [judgeCheckout(checkout), judgeStatus(status)].filter((one) => one !== null);
    return problems.length > 0
      ? problems
      : [fine('the checkout reads bodies, the status keeps strangers out')];
  },
};

const unchecked = (): CheckResult => ({
  status: 'unchecked',
  code: 'not_checked',
  what: 'Not checked.',
  why: 'The shop cannot be reached from here.',
  fix: 'Mend the public URL first.',
  help: helpOf('requests'),
});

function judgeCheckout({ status, json }: ShopAnswer): CheckResult | null {
  if (isProblem(json, 'invalid_order')) return null;
  if (isProblem(json, 'too_many_requests')) return null;
  if (isProblem(json, 'body_already_read') || isProblem(json, 'internal_error')) {
    return {
      status: 'wrong',
      code: 'body_already_read',
      what: 'The checkout does not get the request’s body.',
      why: 'Something before the router reads it and leaves nothing.',
      fix: 'Mount the router before it, or let it set request.body; the shop’s log says more.',
      help: 'docs/errors.md#body_already_read',
    };
  }
  return {
    status: 'wrong',
    code: 'checkout_not_found',
    what: `The checkout answers HTTP ${status}, and not as the payments router does.`,
    why: 'Something before the router answers, or takes such requests away: another route, a login, a CSRF check.',
    fix: 'Mount the router before it, or let it pass POST to the checkout and the webhook. A renamed checkout cannot be checked this way.',
    help: helpOf('requests'),
  };
}

function judgeStatus(answer: ShopAnswer | string): CheckResult | null {
  if (typeof answer === 'string' || isProblem(answer.json, 'not_found')) return null;
  if (isProblem(answer.json, 'too_many_requests')) return null;
  return {
    status: 'odd',
    code: 'status_not_found',
    what: `The status route answers HTTP ${answer.status}, and not as the payments router does.`,
    why: '<pay-status> asks there.',
    fix: 'Leave routes.status on under its usual name, or pay no heed if the shop renamed it.',
    help: helpOf('requests'),
  };
}
