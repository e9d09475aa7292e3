import type { Policy } from '@pay-button/gateway-sandbox';
import type { GatewayProfile } from '@pay-button/server-helper';
import { Chance } from '../../packages/server-helper/test-support/histories/chance.ts';
import { journeyNames, type JourneyName } from './journeys.ts';

/** A gateway that does what the specification leaves open in one way, or in a few at once. */
export interface Reading {
  readonly name: string;
  /** The names of the single readings that a combination is made of; none of a single reading. */
  readonly members: readonly string[];
  /** The policies of the sandbox. */
  readonly policy: readonly Policy[];
  /** The profile of the sandbox, and of a shop that knows its gateway. */
  readonly profile: GatewayProfile;
  /** The profile of the shop. */
  readonly shopProfile: GatewayProfile;
  /** The journeys that come by what is read otherwise. */
  readonly journeys: readonly JourneyName[];
  /** The places of a profile that differ here, as `contract/fidelity/assumptions.yaml` names them. */
  readonly places: readonly string[];
}

/** The end of a reading's name where the shop's profile does not hold the reading. */
export const NOT_IN_PROFILE = ', not in the profile';

const everyJourney = journeyNames;
const webhooks: readonly JourneyName[] = ['webhook', 'lost'];
const sales: readonly JourneyName[] = ['capture', 'void', 'recurring'];
const moves: readonly JourneyName[] = ['refund', 'dashboard', ...sales];

type PolicyRow = readonly [journeys: readonly JourneyName[], shopProfile?: GatewayProfile];

/** Each policy, with the profile of a shop that knows its gateway where a profile has a place for it. */
const policies: Readonly<Record<Policy, PolicyRow>> = {
  sameId: [everyJourney],
  transactionIdOnly: [everyJourney, { status: { asksFor: 'transaction' } }],
  sessionIdOnly: [everyJourney],
  sessionIdParameter: [everyJourney, { status: { parameter: 'sessionId' } }],
  refundAboveMinimum: [moves],
  otherAccepted: [moves],
  B: [moves],
  appendsTransactionId: [everyJourney],
  appendsSessionId: [everyJourney],
  declineLeaves: [everyJourney],
  closesOnFailure: [everyJourney, { session: { afterFailure: 'closed' } }],
  lastAttemptOnly: [everyJourney],
  forgetsSessions: [everyJourney, { session: { afterEnd: 'gone' } }],
  rejectedStatus: [everyJourney],
  absentStatus: [everyJourney],
  nullPending: [everyJourney],
  ownOrderNumbers: [everyJourney],
  noOrderName: [everyJourney, { status: { orderName: null } }],
  bareRows: [everyJourney, { status: { orderName: null } }],
  numericIds: [everyJourney],
  strictHash: [sales, { sale: { hash: 'required' } }],
  noSecrets: [webhooks],
  webhookEnvelope: [
    webhooks,
    { webhook: { orderName: '/data/merchantOrderId', transactionId: '/data/transactionId' } },
  ],
  unsignedWebhooks: [webhooks],
  noRetries: [webhooks],
  fullKeys: [webhooks],
  rotationRevokes: [webhooks],
  saudiPhones: [['return']],
  errorsB: [everyJourney],
  emptyForUnknown: [everyJourney],
  unknownUntilTransaction: [everyJourney, { status: { notFound: 'not-yet' } }],
  nullUntilTransaction: [everyJourney],
};

interface Difference {
  /** As `contract/fidelity/assumptions.yaml` names them. */
  readonly places: readonly string[];
  readonly profile: GatewayProfile;
  readonly journeys: readonly JourneyName[];
}

const place = (
  places: string,
  profile: GatewayProfile,
  journeys: readonly JourneyName[] = everyJourney,
): Difference => ({ places: places.split(' '), profile, journeys });

/** A difference of single operations. */
const operation = (
  places: string,
  journeys: readonly JourneyName[],
  operations: NonNullable<GatewayProfile['operations']>,
): Difference => place(places, { operations }, journeys);

type Notification = NonNullable<GatewayProfile['webhook']>;

const notification = (places: string, webhook: Notification): Difference =>
  place(places, { webhook }, webhooks);

const signed = (signature: NonNullable<Notification['signature']>): Difference =>
  notification('webhook.signature', { signature });

/** Each way in which a profile may differ. */
const differences: Readonly<Record<string, Difference>> = {
  'status by sessionId': place('status.parameter', { status: { parameter: 'sessionId' } }),
  'status asks for transactions': place('status.asksFor', { status: { asksFor: 'transaction' } }),
  'status asks for either': place('status.asksFor', { status: { asksFor: 'either' } }),
  'status not yet found': place('status.notFound', { status: { notFound: 'not-yet' } }),
  'our name as reference': place('status.orderName', { status: { orderName: 'reference' } }),
  'no name of ours': place('status.orderName', { status: { orderName: null } }),
  'page closed by a failure': place('session.afterFailure', {
    session: { afterFailure: 'closed' },
  }),
  'session over after its end': place('session.afterEnd', { session: { afterEnd: 'gone' } }),
  'refund path': operation('operations.refund.path', moves, {
    refund: { path: '/payment/refund' },
  }),
  'sale fields': operation('operations.sale.body operations.sale.body.recurringInit', sales, {
    sale: { body: { orderId: 'order_number', recurringInit: 'recurring_init' } },
  }),
  'sale addition': operation('operations.sale.add', sales, { sale: { add: { channel: 'WEB' } } }),
  'sale answer': operation('operations.sale.answer operations.sale.answer.recurringToken', sales, {
    sale: {
      answer: {
        transactionId: '/data/payment/id',
        result: '/outcome',
        recurringToken: '/data/token',
      },
    },
  }),
  'recurring path': operation('operations.chargeRecurring.path', sales, {
    chargeRecurring: { path: '/payment/s2s/recurring' },
  }),
  'poll by POST': operation('operations.pollStatus', sales, {
    pollStatus: {
      method: 'POST',
      path: '/payment/s2s/status',
      body: { transactionId: 'trans_id' },
    },
  }),
  'new webhook elsewhere': operation('operations.createWebhook', webhooks, {
    createWebhook: {
      path: '/merchant/account/hooks',
      body: { url: 'target' },
      answer: { secret: '/data/signingSecret', id: '/data/hookId' },
    },
  }),
  'new webhook without secret': operation('operations.createWebhook', webhooks, {
    createWebhook: { answer: { secret: null } },
  }),
  'webhooks changed otherwise': operation(
    'operations.updateWebhook operations.deleteWebhook',
    webhooks,
    {
      updateWebhook: { method: 'PUT', path: '/merchant/account/hooks/{id}' },
      deleteWebhook: { method: 'POST', path: '/merchant/account/hooks/{id}/delete' },
    },
  ),
  'login elsewhere': place(
    'login',
    {
      login: {
        path: '/portal/login',
        body: { username: 'email', password: 'pass' },
        token: '/data/jwt',
        expiresInSeconds: '/data/expires_in',
      },
    },
    webhooks,
  ),
  'webhook names order elsewhere': notification('webhook.orderName', {
    orderName: '/order/merchant_order_id',
  }),
  'webhook names transaction elsewhere': notification('webhook.transactionId', {
    transactionId: '/payment/trans_id',
  }),
  'signature header': signed({ header: 'X-Hub-Signature' }),
  'signature sha512 base64': signed({ algorithm: 'sha512', encoding: 'base64' }),
  'signature sha1 with prefix': signed({ algorithm: 'sha1', prefix: 'sha1=' }),
  'signature with time': signed({ timestamped: true }),
  'sale hash required': place('sale.hash', { sale: { hash: 'required' } }, sales),
};

/**
 * Places of a profile that no journey of an order comes by: the merchant's own records at the portal.
 * The tests of the sandbox's profile and of the client hold them.
 */
export const portalPlaces: readonly string[] = [
  'operations.retrieveCredentials.answer',
  'operations.rotateApiKey',
  'operations.listSdkTokens',
  'operations.createSdkToken',
  'operations.updateSdkToken',
];

const usual: Reading = {
  name: 'usual',
  members: [],
  policy: [],
  profile: {},
  shopProfile: {},
  journeys: everyJourney,
  places: [],
};

const ofPolicies = Object.entries(policies).flatMap(([name, row]): readonly Reading[] => {
  const [played, shopProfile] = row;
  const reading = { ...usual, name, policy: [name as Policy], journeys: played };
  if (shopProfile === undefined) return [reading];
  return [
    { ...reading, shopProfile },
    { ...reading, name: `${name}${NOT_IN_PROFILE}` },
  ];
});

const ofProfiles = Object.entries(differences).map(
  ([name, { profile, ...difference }]): Reading => ({
    ...usual,
    ...difference,
    name,
    profile,
    shopProfile: profile,
  }),
);

/** The sandbox's own readings, each policy and each difference of a profile alone. */
export const readings: readonly Reading[] = [usual, ...ofPolicies, ...ofProfiles];

/** A reading of each kind, for the quick suite: parameters, ids, the page, rows, webhooks, portal. */
export const quickReadings: readonly Reading[] = [
  'sessionIdParameter',
  'transactionIdOnly',
  'closesOnFailure',
  'noOrderName',
  'noSecrets',
  'webhookEnvelope',
  'unknownUntilTransaction',
  'login elsewhere',
].flatMap((name) => readings.filter((reading) => reading.name === name));

const MEMBERS = 5;

/** Policies that leave no id to ask by, where both are in force. */
const contradictions: readonly (readonly [string, string])[] = [
  ['transactionIdOnly', 'sessionIdOnly'],
  ['status asks for transactions', 'sessionIdOnly'],
];

/** A gateway of several readings at once, from a seed. No two are about one place of a profile. */
export function combinationOf(seed: number): Reading {
  const chance = new Chance(seed);
  const rest = readings.filter(({ name, shopProfile, profile, policy }) => {
    const isUnknown =
      Object.keys({ ...shopProfile, ...profile }).length === 0 && name.endsWith(NOT_IN_PROFILE);
    return policy.length + Object.keys(profile).length > 0 && !isUnknown;
  });
  const members: Reading[] = [];
  while (members.length < MEMBERS && rest.length > 0) {
    const [drawn] = rest.splice(chance.whole(0, rest.length), 1);
    if (drawn !== undefined && members.every((member) => fit(member, drawn))) members.push(drawn);
  }
  return {
    name: `combination ${seed}: ${members.map(({ name }) => name).join(' + ')}`,
    members: members.map(({ name }) => name),
    policy: members.flatMap(({ policy }) => policy),
    profile: members.map(({ profile }) => profile).reduce(merge, {}),
    shopProfile: members.map(({ shopProfile }) => shopProfile).reduce(merge, {}),
    journeys: journeyNames,
    places: [],
  };
}

function fit(one: Reading, other: Reading): boolean {
  const names = new Set([one.name, other.name]);
  if (contradictions.some((pair) => pair.every((name) => names.has(name)))) return false;
  const places = new Set(placesOf(one.shopProfile));
  return placesOf(other.shopProfile).every((path) => !places.has(path));
}

/** The places of a profile that have a value of their own. */
function placesOf(value: unknown, path = ''): readonly string[] {
  if (!isRecord(value)) return [path];
  return Object.entries(value).flatMap(([name, inner]) => placesOf(inner, `${path}/${name}`));
}

function merge<Value>(one: Value, other: Value): Value {
  if (!isRecord(one) || !isRecord(other)) return other;
  const names = [...new Set([...Object.keys(one), ...Object.keys(other)])];
  const merged = names.map((name) => [
    name,
    name in one && name in other ? merge(one[name], other[name]) : (other[name] ?? one[name]),
  ]);
  return Object.fromEntries(merged) as Value;
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;
