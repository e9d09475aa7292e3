import type { z } from 'zod';
import type { EnvelopeKind } from './envelope.ts';
import {
  createdSdkTokenAnswer,
  createdWebhookAnswer,
  createSdkTokenInput,
  createWebhookInput,
  credentialsAnswer,
  deleteWebhookInput,
  newCredentialAnswer,
  sdkTokenAnswer,
  sdkTokensAnswer,
  updateSdkTokenInput,
  updateWebhookInput,
  webhookAnswer,
  webhooksAnswer,
} from './schemas/portal.ts';
import {
  captureInput,
  moneyMoveData,
  recurringBody,
  recurringChargeInput,
  refundData,
  refundInput,
  voidInput,
} from './schemas/money-moves.ts';
import { noInput } from './schemas/fields.ts';
import { paymentLinkAnswer, paymentLinkInput } from './schemas/payment-link.ts';
import { saleData, saleInput } from './schemas/sale.ts';
import { pollInput, statusData, statusInput } from './schemas/status.ts';

/** One operation of the gateway. The client's calls are made from this table. */
export interface Operation {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Relative to the base URL; `{id}` stands for the input's id. */
  readonly path: string;
  /** Which credential opens it (§5); the two are not interchangeable. */
  readonly credential: 'apiKey' | 'portal';
  /** Whether the same request may be sent again when its answer was lost. */
  readonly mayRetry: boolean;
  readonly input: z.ZodType;
  /** The envelope of the answer (§4). */
  readonly envelope: EnvelopeKind;
  /** The answer inside its envelope, in the gateway's spelling. */
  readonly answer: z.ZodType | null;
  /** The field that holds the records, where the answer is a list. */
  readonly list?: string;
  /** Whether it moves money, or holds or releases it. */
  readonly movesMoney?: true;
  /** The answer's field for a secret that the gateway gives only once. */
  readonly givesSecret?: string;
  /** How firmly its method, path and shapes are known, the weakest counting. */
  readonly tier: 'spec' | 'contradiction' | 'analogue' | 'assumed';
  /** Section of the gateway's specification. */
  readonly section: string;
}

/** The common parts of operations: who opens them (§5), what most of these answer, and how they are sent. */
const payment = { credential: 'apiKey', envelope: 'A' } as const;
const portal = { credential: 'portal', envelope: 'bare', tier: 'assumed' } as const;
const asks = { method: 'GET', mayRetry: true } as const;
const posts = { method: 'POST', mayRetry: false } as const;
const moves = { ...posts, movesMoney: true } as const;
const patches = { method: 'PATCH', mayRetry: false } as const;
const deletes = { method: 'DELETE', mayRetry: false } as const;

/** The operations by the client's method name. */
export const operations = {
  createPaymentLink: {
    ...payment,
    ...posts,
    path: '/payment/checkout/intiate', // The gateway's own spelling (§9); the corrected one is a 404.
    input: paymentLinkInput,
    envelope: 'bare',
    answer: paymentLinkAnswer,
    tier: 'spec',
    section: '4.1',
  },
  retrieveStatus: {
    ...payment,
    ...asks,
    path: '/payment/checkout/status',
    input: statusInput,
    answer: statusData,
    tier: 'contradiction',
    section: '4.2',
  },
  refund: {
    ...payment,
    ...moves,
    path: '/payment/s2s/refund',
    input: refundInput,
    answer: refundData,
    tier: 'contradiction',
    section: '4.3',
  },
  sale: {
    ...payment,
    ...moves,
    path: '/payment/s2s/sale',
    input: saleInput,
    answer: saleData,
    tier: 'analogue',
    section: '4.4',
  },
  capture: {
    ...payment,
    ...moves,
    path: '/payment/s2s/capture',
    input: captureInput,
    answer: moneyMoveData('capture'),
    tier: 'spec',
    section: '4.5',
  },
  void: {
    ...payment,
    ...moves,
    path: '/payment/s2s/void',
    input: voidInput,
    answer: moneyMoveData('creditvoid'),
    tier: 'spec',
    section: '4.6',
  },
  chargeRecurring: {
    ...payment,
    ...moves,
    path: '/payment/checkout/recurring',
    input: recurringChargeInput,
    envelope: 'C',
    answer: recurringBody,
    tier: 'contradiction',
    section: '4.7',
  },
  pollStatus: {
    ...payment,
    ...asks,
    path: '/payment/checkout/status',
    input: pollInput,
    answer: statusData,
    tier: 'assumed',
    section: '4.8',
  },
  listWebhooks: {
    ...portal,
    ...asks,
    path: '/merchant/account/webhooks',
    input: noInput,
    answer: webhooksAnswer,
    tier: 'spec',
    section: '4.9',
  },
  createWebhook: {
    ...portal,
    ...posts,
    path: '/merchant/account/webhooks',
    input: createWebhookInput,
    answer: createdWebhookAnswer,
    givesSecret: 'secret',
    section: '4.10',
  },
  updateWebhook: {
    ...portal,
    ...patches,
    path: '/merchant/account/webhooks/{id}',
    input: updateWebhookInput,
    answer: webhookAnswer,
    section: '4.11',
  },
  deleteWebhook: {
    ...portal,
    ...deletes,
    path: '/merchant/account/webhooks/{id}',
    input: deleteWebhookInput,
    envelope: 'empty',
    answer: null,
    section: '4.12',
  },
  retrieveCredentials: {
    ...portal,
    ...asks,
    path: '/merchant/account/credentials',
    input: noInput,
    answer: credentialsAnswer,
    list: 'credentials',
    section: '4.13',
  },
  rotateApiKey: {
    ...portal,
    ...posts,
    path: '/merchant/account/credentials/rotate',
    input: noInput,
    answer: newCredentialAnswer,
    givesSecret: 'apiKey',
    section: '4.14',
  },
  listSdkTokens: {
    ...portal,
    ...asks,
    path: '/merchant/account/sdk-tokens',
    input: noInput,
    answer: sdkTokensAnswer,
    list: 'sdkTokens',
    section: '4.15',
  },
  createSdkToken: {
    ...portal,
    ...posts,
    path: '/merchant/account/sdk-tokens',
    input: createSdkTokenInput,
    answer: createdSdkTokenAnswer,
    givesSecret: 'token',
    section: '4.16',
  },
  updateSdkToken: {
    ...portal,
    ...patches,
    path: '/merchant/account/sdk-tokens/{id}',
    input: updateSdkTokenInput,
    answer: sdkTokenAnswer,
    section: '4.17',
  },
} as const satisfies Record<string, Operation>;

/** The client's method names. */
export type OperationName = keyof typeof operations;

/** Whether an operation moves money, or holds or releases it. */
export const movesMoney = (name: OperationName): boolean => 'movesMoney' in operations[name];
