import type { Reply } from '../../domain/step.ts';
import { declineReason } from '../../domain/cards.ts';
import type { CardEntry } from '../../domain/cards.ts';
import { readSaleRequest } from '../../domain/requests.ts';
import type { SaleFault, SaleRequest } from '../../domain/requests.ts';
import { wireId } from '../../domain/tenant.ts';
import { hasOpenChallenge, tokenOf } from '../../domain/transaction.ts';
import type { Transaction } from '../../domain/transaction.ts';
import { html } from '../../pages/html.ts';
import { paymentOperation } from '../operation.ts';
import type { Caller, Operation } from '../operation.ts';
import { dataA, errorA, invalid, noAnswer } from '../wire-reply.ts';
import type { WireReply } from '../wire-reply.ts';
import type { SandboxParts } from '../../sandbox-parts.ts';

interface ValidSale {
  readonly request: SaleRequest;
  readonly entry: CardEntry;
}

const refusals: Readonly<Record<Extract<SaleFault, { refusal: string }>['refusal'], WireReply>> = {
  'not-a-test-card': errorA(400, 'Card number is not a test card', {
    decidedBy: 'not-a-test-card',
    tier: 'assumed N21',
  }),
  'hash-missing': errorA(400, 'hash should not be empty', {
    decidedBy: 'hash',
    tier: 'analogue N8',
  }),
  'hash-invalid': errorA(400, 'Hash is not valid', { decidedBy: 'hash', tier: 'analogue N8' }),
};

/** §4.4, in the form of N7 to N10. */
export function saleOperation(parts: SandboxParts): Operation<ValidSale> {
  const { machine, policy, profile, tenants } = parts;
  return {
    ...paymentOperation,
    name: 'sale',
    path: '/payment/s2s/sale',
    decode: (input, { tenant }) => {
      const sale = readSaleRequest(input, {
        password: tenants.credentials(tenant).salePassword,
        isRequired: policy.has('strictHash') || profile.sale?.hash === 'required',
      });
      if ('messages' in sale) return { refusal: invalid(sale.messages, input, 'analogue N7') };
      return 'refusal' in sale ? { refusal: refusals[sale.refusal] } : { value: sale };
    },
    perform: async (sale, caller) => {
      const { reply } = machine.execute({ kind: 'sale', ...caller, ...sale });
      if (reply.kind === 'decided') await parts.dispatcher.ahead(reply.transaction);
      return answerOf(parts, reply, caller);
    },
  };
}

function answerOf(
  { publicUrl }: SandboxParts,
  reply: Reply<'sale'>,
  { sameId }: Caller,
): WireReply {
  if (reply.kind === 'cut') return noAnswer('magic-amount');
  const { session, transaction, answer } = reply;
  const { challenge, paymentId } = transaction;
  const form =
    hasOpenChallenge(transaction) && challenge !== null
      ? challengeForm(`${publicUrl()}/challenge/${challenge.id}/start`)
      : null;
  const data = {
    ...resultOf(transaction),
    transactionId: wireId(session, transaction, sameId),
    payment_id: paymentId,
    order_id: session.merchantOrderId,
    trans_id: paymentId,
    html: form,
    rrn: transaction.rrn,
    card_brand: transaction.card.scheme,
    recurringToken: tokenOf(transaction),
  };
  const { decidedBy } = transaction;
  return { ...dataA(data, { decidedBy, tier: 'analogue N9', sessionId: session.id }), answer };
}

/**
 * N9 has three words. A payment that waits for the bank is accepted like an authorization: SUCCESS,
 * and the status shows that nothing is paid yet.
 */
function resultOf(transaction: Transaction): {
  result: 'SUCCESS' | 'REDIRECT' | 'DECLINED';
  status: string;
  decline_reason: string | null;
} {
  const { status, responseCode } = transaction;
  if (hasOpenChallenge(transaction)) {
    return { result: 'REDIRECT', status: 'REDIRECT', decline_reason: null };
  }
  if (status !== 'FAILED') return { result: 'SUCCESS', status, decline_reason: null };
  return { result: 'DECLINED', status, decline_reason: declineReason(responseCode ?? '') };
}

/**
 * The HTML of a sale that needs 3-D Secure (§4.4): shown by the merchant, whole page or framed, it
 * posts itself to the challenge. The button is for browsers that run no script.
 */
export function challengeForm(action: string): string {
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <title>3-D Secure</title>
      </head>
      <body>
        <form method="post" action="${action}">
          <button type="submit">Continue to your bank · المتابعة إلى البنك</button>
        </form>
        <script>
          document.forms[0].submit();
        </script>
      </body>
    </html>`.toString();
}
