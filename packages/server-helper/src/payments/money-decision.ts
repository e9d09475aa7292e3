import { transactionKey } from '../ids.ts';
import { decimalOf } from '../money.ts';
import { changeOf } from './draft.ts';
import type { Attempt } from './attempt.ts';
import {
  type Change,
  type Operation,
  operationOf,
  type PaymentRecord,
  SENDING_TIMEOUT_MS,
} from './record.ts';
import {
  type Approval,
  type Asked,
  baselineOf,
  type MoneyRequest,
  type Refusal,
  refuse,
  type Target,
  targetOf,
} from './refund.ts';

export type MoneyDecision =
  /** The operation exists already, and its state is the answer. */
  | { readonly kind: 'repeat'; readonly operation: Operation }
  | Refusal
  /** Commit the change, and send nothing: another person must approve the operation. */
  | { readonly kind: 'propose'; readonly operation: Operation; readonly change: Change }
  /** Commit the change, then send the operation, once. */
  | { readonly kind: 'send'; readonly operation: Operation; readonly change: Change };

/**
 * Decides whether a money operation is sent. Pure. Of several calls, the one that commits sends it.
 */
export function decideMoney(
  record: PaymentRecord,
  request: MoneyRequest | Approval,
  now: number,
): MoneyDecision {
  if (request.kind === 'approve') return decideApproval(record, request, now);
  const terms = termsOf(request);
  const former = operationOf(record, request.id);
  if (former !== undefined) return repeatOf(former, terms);
  const target = targetOf(record, request);
  if ('kind' in target) return target;
  const operation = newOperation(request, terms, target, now);
  return request.kind === 'refund' && request.proposes === true
    ? (tooMuch(target) ?? propose(record, operation, now))
    : (notNow(record, target) ?? send(record, target, operation, now));
}

/** Decides about a proposed refund anew, by what is known now, when another person approves it. */
function decideApproval(record: PaymentRecord, approval: Approval, now: number): MoneyDecision {
  const { id, owner, approvedBy, isTotalUnknown = false } = approval;
  const proposal = operationOf(record, id);
  if (proposal !== undefined && proposal.approvedBy !== null) {
    return { kind: 'repeat', operation: proposal };
  }
  if (proposal?.state !== 'proposed') {
    return refuse('wrong_state', 'Only a proposed operation is approved, and this one is none.');
  }
  const { requestedBy, amount } = proposal;
  if (requestedBy === null || isSamePerson(requestedBy, approvedBy)) {
    const words = 'Another person must approve what this one proposed. Nothing was sent.';
    return refuse('same_person', words);
  }
  const amountMinorUnits = amount.minorUnits;
  const asked = { ...proposal, kind: 'refund', amountMinorUnits, isTotalUnknown } as const;
  const target = targetOf(record, asked);
  if ('kind' in target) return target;
  // A refund that a backup has forgotten is shown by its total alone.
  if (baselineOf(target) - baselineOf(proposal) >= amountMinorUnits)
    return refuse(
      'wrong_state',
      'As much was refunded elsewhere since this was proposed, so it may be sent already. If the gateway’s dashboard shows that it is not, withdraw it and propose it anew.',
    );
  const { baselineMinorUnits } = target;
  // A new owner: the call that proposed it must not take the operation for its own, and send it.
  const begun = { state: 'sending', owner, approvedBy, baselineMinorUnits, sentAt: now } as const;
  const operation = { ...proposal, ...begun, updatedAt: now };
  return notNow(record, target) ?? send(record, target, operation, now);
}

/** Refuses an operation while another one on its transaction is being sent, or of more than is left. */
function notNow(record: PaymentRecord, target: Target): Refusal | null {
  const isBusy = record.operations.some(
    ({ attemptNumber, state }) => attemptNumber === target.attempt.number && state === 'sending',
  );
  if (!isBusy) return tooMuch(target);
  const words = 'Another operation on this transaction is under way. Try again in a moment.';
  return refuse('operation_in_progress', words);
}

function tooMuch({ amount, limitMinorUnits }: Target): Refusal | null {
  if (amount.minorUnits <= limitMinorUnits) return null;
  const words = `At most ${decimalOf(Math.max(0, limitMinorUnits))} ${amount.currency} is left, counting what is under way or unknown.`;
  return refuse('amount_too_large', words);
}

function propose({ payment }: PaymentRecord, sent: Operation, now: number): MoneyDecision {
  const operation = { ...sent, state: 'proposed', sentAt: null } as const;
  const change = { ...changeOf(payment, [], {}, now), operations: [operation] };
  return { kind: 'propose', operation, change };
}

/** @param others - Other attempts that change. */
export function send(
  { payment }: PaymentRecord,
  { attempt }: Target,
  operation: Operation,
  now: number,
  others: readonly Attempt[] = [],
): MoneyDecision {
  // If this process dies, the status check at this time finds the operation.
  const nextCheckAt = Math.min(attempt.nextCheckAt ?? Infinity, now + SENDING_TIMEOUT_MS);
  const attempts = [...others, { ...attempt, nextCheckAt }];
  const change = { ...changeOf(payment, attempts, {}, now), operations: [operation] };
  return { kind: 'send', operation, change };
}

/** What became of an operation that was asked for before, if it was the same. */
export function repeatOf(former: Operation, terms: string): MoneyDecision {
  if (former.terms === terms) return { kind: 'repeat', operation: former };
  const words =
    'This requestId was used for another operation. Give each operation a key of its own.';
  return refuse('request_id_reused', words);
}

/** An operation that is about to be sent. */
export function newOperation(
  asked: Asked & Pick<Operation, 'kind'>,
  terms: string,
  target: Target,
  now: number,
): Operation {
  return {
    id: asked.id,
    orderId: target.attempt.orderId,
    kind: asked.kind,
    state: 'sending',
    requestId: asked.requestId,
    attemptNumber: target.attempt.number,
    transactionId: target.transactionId,
    baselineMinorUnits: target.baselineMinorUnits,
    amount: target.amount,
    terms,
    owner: asked.owner,
    reference: null,
    reason: null,
    requestedBy: asked.requestedBy,
    ...(asked.reviewId !== undefined && { reviewId: asked.reviewId }),
    approvedBy: null,
    resolvedBy: null,
    createdAt: now,
    sentAt: now,
    updatedAt: now,
  };
}

function termsOf(request: MoneyRequest): string {
  if (request.kind === 'void') return 'void';
  const amount = decimalOf(request.amountMinorUnits);
  if (request.kind !== 'refund') return `${request.kind} ${amount}`;
  const { transactionId, operationId } = request;
  const of = operationId ?? (transactionId === null ? undefined : transactionKey(transactionId));
  return of === undefined ? `refund ${amount}` : `refund ${amount} ${of}`;
}

/** A person whom the shop's own directory knows by an id. */
export interface KnownPerson {
  readonly id: string;
  readonly name: string;
}

/** What an id of a person may be, so that {@link personText} reads one way only. */
export const PERSON_ID = /^[\p{L}\p{N}._:@+-]{1,100}$/u;

/** A known person as one text, to store and to show. */
export const personText = ({ id, name }: KnownPerson): string => `${name} (${id})`;

const WITH_ID = /^(.*) \(([\p{L}\p{N}._:@+-]{1,100})\)$/su;

/**
 * Whether two texts name one person. Ids decide where both have one. Names are compared by letters and
 * digits alone, in one form: a space, a mark, a symbol or a letter that looks alike must not make two
 * people of one, who would approve what the same person proposed. Two people whose names differ by
 * these alone count as one, which only asks for a third.
 */
export function isSamePerson(one: string, other: string): boolean {
  const [, name = one, id] = WITH_ID.exec(one) ?? [];
  const [, otherName = other, otherId] = WITH_ID.exec(other) ?? [];
  // In the same form: what looks like an id may be the end of a name.
  if (id !== undefined && otherId !== undefined) return plain(id) === plain(otherId);
  return plain(name) === plain(otherName);
}

/** Letters that look like the one below them: Arabic of Persian and Urdu; Cyrillic and Greek of Latin. */
const alike = 'ىیېےؠکڪہھەةۃٱںӀАВЕКМНОРСТУХІЅЈΑΒΕΖΗΙΚΜΝΟΡΤΥΧ';
const letters = 'يييييككهههههانIABEKMHOPCTYXISJABEZHIKMNOPTYX';

/** In small letters first: ẞ has no capitals. */
const plain = (name: string): string =>
  name
    .normalize('NFKD')
    .replaceAll(/[^\p{L}\p{N}]|[\p{Lm}\p{Default_Ignorable_Code_Point}]/gu, '')
    .toLowerCase()
    .toUpperCase()
    .replaceAll(/./gu, (letter) => letters[alike.indexOf(letter)] ?? letter)
    .replaceAll(/\p{Nd}/gu, valueOf);

const DIGIT = /^\p{Nd}$/u;

/** A digit of any script as ours: each script has its ten in a row. */
function valueOf(digit: string): string {
  const code = Number(digit.codePointAt(0));
  let before = 0;
  while (DIGIT.test(String.fromCodePoint(code - before - 1))) before += 1;
  return String(before % 10);
}
