import { Chance } from '../../packages/server-helper/test-support/histories/chance.ts';
import { journeyNames } from './journeys.ts';
import { NOT_IN_PROFILE, readings, type Reading } from './readings.ts';

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
  return !placesOf(other.shopProfile).some((place) => places.has(place));
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
