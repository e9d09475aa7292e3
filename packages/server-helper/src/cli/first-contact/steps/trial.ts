import type { GatewayClient } from '../../../gateway/gateway-client.ts';
import { GatewayError } from '../../../gateway/gateway-error.ts';
import { isMoney } from '../../../payments/answer.ts';
import type { Step, Visit } from '../visit.ts';

/** Tries the profile to propose: this kit's client has to read the payment as paid with it (§3). */
export const trialStep: Step = {
  name: 'trial',
  does: 'reads the payment as a shop does, under the profile to propose',
  missing: ({ history }) =>
    [...history.values()].some((words) => words.includes('SUCCESS'))
      ? undefined
      : 'no payment was seen',
  async run(visit) {
    const { clientUnder, findings } = visit;
    const client = clientUnder(findings.proposed());
    try {
      const isPaid = await readsAsPaid(visit, client);
      const seen = isPaid ? 'SUCCESS and APPROVED' : 'no row is SUCCESS and APPROVED';
      findings.note('§3', isPaid ? 'confirmed' : 'contradicted', seen);
      if (visit.portalCredential !== undefined) await readPortal(visit, client);
    } catch (error) {
      if (!(error instanceof GatewayError)) throw error;
      findings.note('§3', 'contradicted', `${error.operation} fails: ${error.code}`);
    } finally {
      await client.close();
    }
  },
};

async function readsAsPaid(visit: Visit, client: GatewayClient): Promise<boolean> {
  const { findings, session, transaction = '' } = visit;
  const isByTransaction = findings.proposed().status?.asksFor === 'transaction';
  const { transactions } =
    isByTransaction || session === undefined
      ? await client.retrieveStatus({ transactionId: transaction })
      : await client.retrieveStatus({ sessionId: session });
  return transactions.some(isMoney);
}

async function readPortal({ findings }: Visit, client: GatewayClient): Promise<void> {
  await client.listWebhooks();
  await client.retrieveCredentials();
  await client.listSdkTokens();
  findings.note('§3', 'confirmed', 'the lists of the portal are read');
}
