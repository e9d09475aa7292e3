import type { Router } from 'express';
import type { ChallengeAction } from '../../domain/command.ts';
import type { Session } from '../../domain/session/session.ts';
import type { Transaction } from '../../domain/transaction/transaction.ts';
import type { SandboxParts } from '../../sandbox-parts.ts';
import { badRequest, controlRoute } from './control-call.ts';
import type { ControlReply } from './control-call.ts';
import { describeSession, describeTransaction } from './describe.ts';

const unknownChallenge: ControlReply = {
  problem: {
    status: 404,
    code: 'unknown_challenge',
    detail: 'No 3-D Secure challenge of this tenant has this id.',
  },
};

/** `challenges/:id`: a 3-D Secure challenge answered without a browser. */
export function addChallengeRoutes(router: Router, parts: SandboxParts): void {
  router.post(
    '/challenges/:id',
    controlRoute(async ({ tenant, fields, request }) => {
      const action = readAction(fields);
      if (action === null) {
        return badRequest(
          'invalid_action',
          'Send {"otp": "123456"} or {"action": "approve" | "fail" | "cancel" | "hang"}.',
        );
      }
      const challengeId = challengeIdOf(parts, tenant, String(request.params['id']));
      if (action === 'hang') return pendingReply(parts, tenant, challengeId);
      const command = { kind: 'answer-challenge', tenant, challengeId, ...action } as const;
      const { reply } = await parts.machine.execute(command);
      if (reply.kind === 'unknown-challenge') return unknownChallenge;
      return answered(parts, tenant, reply);
    }),
  );
}

/** The transaction's id names its challenge too. */
function challengeIdOf({ machine }: SandboxParts, tenant: string, id: string): string {
  return machine.tenant(tenant).transactions.get(id)?.challenge?.id ?? id;
}

/** Letting a challenge hang changes nothing: its transaction stays as it is. */
async function pendingReply(
  parts: SandboxParts,
  tenant: string,
  challengeId: string,
): Promise<ControlReply> {
  const { sessions, transactions, challenged } = parts.machine.tenant(tenant);
  const transaction = transactions.get(challenged.get(challengeId) ?? '');
  const session = sessions.get(transaction?.sessionId ?? '');
  if (transaction === undefined || session === undefined) return unknownChallenge;
  await parts.machine.settled();
  return answered(parts, tenant, { session, transaction });
}

function answered(
  parts: SandboxParts,
  tenant: string,
  { session, transaction }: { session: Session; transaction: Transaction },
): ControlReply {
  return {
    answer: {
      session: describeSession(parts, tenant, session),
      ...describeTransaction(parts, session, transaction),
    },
  };
}

function readAction(fields: Readonly<Record<string, unknown>>): ChallengeAction | 'hang' | null {
  const { otp, action } = fields;
  if (typeof otp === 'string' && action === undefined) return { otp };
  switch (action) {
    case 'approve':
      return { otp: '123456' };
    case 'fail':
    case 'cancel':
      return { action };
    case 'hang':
      return 'hang';
    default:
      return null;
  }
}
