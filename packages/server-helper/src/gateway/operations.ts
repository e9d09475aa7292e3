/** How firmly the specification states something (see `contract/gateway.openapi.yaml`). */
export type Tier = 'spec' | 'contradiction' | 'analogue' | 'assumed';

/** One operation of the gateway: the client's calls and the reference come from this table. */
export interface Operation {
  readonly method: 'GET' | 'POST';
  /** Relative to the base URL. */
  readonly path: string;
  /** Whether the same request may be sent again when its answer was lost. */
  readonly mayRetry: boolean;
  readonly tier: Tier;
  /** Section of the gateway's specification. */
  readonly section: string;
}

/** The operations by the client's method name. */
export const operations = {
  createPaymentLink: {
    method: 'POST',
    path: '/payment/checkout/intiate', // The gateway's own spelling (§9); the corrected one is a 404.
    mayRetry: false,
    tier: 'spec',
    section: '4.1',
  },
  retrieveStatus: {
    method: 'GET',
    path: '/payment/checkout/status',
    mayRetry: true,
    tier: 'contradiction',
    section: '4.2',
  },
} as const satisfies Record<string, Operation>;

/** The client's method names. */
export type OperationName = keyof typeof operations;
