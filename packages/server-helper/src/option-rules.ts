import { type ConfigurationErrorCode, type Finding, helpAddress, type Mistake } from './errors.ts';

/** What is wrong with a value; `setting` where the value's own place does not name it. */
export type Mistaken = Omit<Mistake, 'setting'> & Pick<Finding, 'code'> & Partial<Mistake>;

/** Says what is wrong with the value of a setting; `undefined` where nothing is. */
export type Rule = (value: unknown, setting: string) => Mistaken | undefined;

/** A part of the schema: everything that is wrong with the value at its place. */
export type Part = (value: unknown, setting: string) => readonly Finding[];

/** A rule with the same words for every value that breaks it, in which `<setting>` stands for its name. */
export const must =
  (
    holds: (value: unknown) => boolean,
    what: string,
    why: string,
    fix: string,
    code: ConfigurationErrorCode = 'invalid_option',
  ): Rule =>
  (value, setting) =>
    holds(value) ? undefined : { code, what: what.replace('<setting>', setting), why, fix };

/** A field that must obey each of its rules. */
export const field =
  (...rules: readonly Rule[]): Part =>
  (value, setting) =>
    rules
      .map((rule) => rule(value, setting))
      .filter((mistaken) => mistaken !== undefined)
      .map((mistaken) => ({ setting, ...mistaken, help: helpAddress(mistaken.code) }));

export const optional =
  (part: Part): Part =>
  (value, setting) =>
    value === undefined ? [] : part(value, setting);

/** A field that obeys one rule or is left out. */
export const option = (...rule: Parameters<typeof must>): Part => optional(field(must(...rule)));

export const isFunction = (value: unknown): boolean => typeof value === 'function';

export const callable = must(
  isFunction,
  'The option <setting> must be a function.',
  'The kit calls it.',
  'Give a function.',
);
export const aFunction = optional(field(callable));

export const aSwitch = option(
  (given) => typeof given === 'boolean',
  'The option <setting> must be true or false.',
  'A text such as "false" would be taken for true.',
  'Give true or false, or leave it out.',
);

export const aText = must(
  (given) => typeof given === 'string' && given.trim() !== '',
  'The option <setting> must be a text.',
  'Another value names nothing.',
  'Give a text that is not blank.',
);

const objectWith = (...names: readonly string[]): Part =>
  option(
    (given) => names.every((name) => isFunction(Object(given)[name])),
    `The option <setting> must have the functions ${names.join(', ')}.`,
    'The kit calls them.',
    'Give such an object, or leave it out.',
  );
export const aLogger = objectWith('info', 'warn', 'error');
export const aClock = objectWith('now', 'sleep');
export const aTransport = objectWith('send', 'close');

/** A deadline. @param why - What would wait for ever without one. */
export const aDuration = (why: string, most?: number): Part =>
  option(
    isWhole(1, most),
    `<setting> must be a whole number of milliseconds, at least 1${most === undefined ? '' : ` and at most ${most}`}.`,
    why,
    'Give a number such as 10000, or leave it out.',
    'invalid_timeout',
  );

type Shape = Readonly<Record<string, Part>>;

/** A setting that was given may have any length. */
const settingOf = (place: string, name: string): string =>
  (place === '' ? name : `${place}.${name}`).slice(0, 60);

/** An object of fields, and of no others. */
export function group(shape: Shape, mistaken?: Mistaken): Part {
  const names = Object.keys(shape).join(', ');
  const unknown: Rule = (name, setting) =>
    mistaken ?? {
      code: 'invalid_option',
      what: name === '' ? `${setting} must be an object.` : `There is no option ${setting}.`,
      why: 'A misspelt option would be left out without a word.',
      fix: name === '' ? `Give an object of ${names}.` : `Leave it out, or use one of ${names}.`,
    };
  return (given, place) =>
    typeof given !== 'object' || given === null || Array.isArray(given)
      ? field(unknown)('', place)
      : [
          ...Object.entries(shape).flatMap(([name, part]) =>
            part((given as Readonly<Record<string, unknown>>)[name], settingOf(place, name)),
          ),
          ...Object.keys(given)
            .filter((name) => !Object.hasOwn(shape, name))
            .flatMap((name) => field(unknown)(name, settingOf(place, name))),
        ];
}

export const isWhole =
  (least: number, most = Number.MAX_SAFE_INTEGER) =>
  (value: unknown): boolean =>
    Number.isSafeInteger(value) && Number(value) >= least && Number(value) <= most;

export const isListOf =
  (passes: (member: unknown, index: number, all: readonly unknown[]) => boolean, least = 0) =>
  (value: unknown): value is readonly never[] =>
    Array.isArray(value) && value.length >= least && value.every(passes);

type Filled<T> = { readonly [Name in keyof T]?: Exclude<T[Name], undefined> };

/** The fields that have a value: one without a value would hide what stands in its place else. */
export const filled = <T extends object>(fields: T): Filled<T> =>
  Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== undefined),
  ) as Filled<T>;
