import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import { PaymentsError } from '../../errors.ts';

/**
 * Encrypts recurring tokens, so that only a process with the shop's keys can charge a customer. A token enters a
 * record as `seal` writes it and leaves it by `open`; log and stores hold the sealed text alone.
 */
export type RecurringTokens = ReturnType<typeof createRecurringTokens>;

/** The form of a sealed token: a version, the name of the key, and nonce, text and tag. */
const SEALED = /^enc1\.([0-9a-f]{8})\.([A-Za-z0-9_-]{38,})$/;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
/** The set of orders that are counted starts anew beyond this. */
const MAX_COUNTED = 1_000;

interface Key {
  readonly name: string;
  readonly bytes: Buffer;
}

/**
 * AES-256-GCM with keys that HKDF derives from the shop's secrets. The order's id is associated data:
 * a token that is moved to another order is not opened.
 *
 * @param secrets - The first encrypts, all decrypt. Without any, stored tokens stay as they are.
 * @param random - Makes nonces. @defaultValue the system's
 */
export function createRecurringTokens(
  secrets: readonly string[],
  random: (size: number) => Buffer = randomBytes,
) {
  const keys = secrets.map(keyOf);
  const unreadable = new Set<string>();
  const [first] = keys;
  /** Encrypts a token for its order, under the first key. */
  const seal = (orderId: string, token: string): string => {
    if (first === undefined) throw new TypeError('There is no key to encrypt with.');
    const nonce = random(NONCE_BYTES);
    const cipher = createCipheriv('aes-256-gcm', first.bytes, nonce).setAAD(aboutOf(orderId));
    const text = Buffer.concat([cipher.update(token, 'utf8'), cipher.final()]);
    const parts = Buffer.concat([nonce, text, cipher.getAuthTag()]);
    return `enc1.${first.name}.${parts.toString('base64url')}`;
  };
  const read = (orderId: string, sealed: string): string | null => {
    const key = keys.find(({ name }) => name === keyNameIn(sealed));
    return key === undefined ? null : decrypt(key, orderId, sealed);
  };
  const openOrNull = (orderId: string, sealed: string): string | null => {
    const token = read(orderId, sealed);
    if (token !== null) unreadable.delete(orderId);
    else if (unreadable.size < MAX_COUNTED) unreadable.add(orderId);
    return token;
  };
  return {
    seal,
    /** @throws {@link PaymentsError} `recurring_token_unreadable`. */
    open: (orderId: string, sealed: string): string => {
      const token = openOrNull(orderId, sealed);
      if (token !== null) return token;
      throw unreadableToken(keyNameIn(sealed), keys);
    },
    /** A sealed token under the first key; as it is where no key opens it. */
    renew: (orderId: string, sealed: string): string => {
      if (first === undefined || keyNameIn(sealed) === first.name) return sealed;
      const token = openOrNull(orderId, sealed);
      return token === null ? sealed : seal(orderId, token);
    },
    /** The name of a token's key, which does not reveal the key, and whether it can be opened. */
    describe: (orderId: string, sealed: string) => ({
      key: keyNameIn(sealed),
      isReadable: read(orderId, sealed) !== null,
    }),
    /** How many orders this process has met whose token it cannot open. */
    get unreadable(): number {
      return unreadable.size;
    },
  };
}

/** Each use of a secret derives a key of its own, which reveals no other. */
function keyOf(secret: string): Key {
  const derive = (info: string, size: number): Buffer =>
    Buffer.from(hkdfSync('sha256', secret, '', `pay-button ${info}`, size));
  return { bytes: derive('recurring token', 32), name: derive('name of a key', 4).toString('hex') };
}

const aboutOf = (orderId: string): Buffer => Buffer.from(`recurring token of ${orderId}`);

/** The name of the key in a sealed token; empty for a text of another form. */
export const keyNameIn = (sealed: string): string => SEALED.exec(sealed)?.[1] ?? '';

function decrypt({ bytes }: Key, orderId: string, sealed: string): string | null {
  const parts = Buffer.from(SEALED.exec(sealed)?.[2] ?? '', 'base64url');
  const nonce = parts.subarray(0, NONCE_BYTES);
  const options = { authTagLength: TAG_BYTES };
  try {
    const decipher = createDecipheriv('aes-256-gcm', bytes, nonce, options)
      .setAAD(aboutOf(orderId))
      .setAuthTag(parts.subarray(-TAG_BYTES));
    const text = decipher.update(parts.subarray(NONCE_BYTES, -TAG_BYTES));
    return Buffer.concat([text, decipher.final()]).toString('utf8');
  } catch {
    return null; // It was changed, or sealed for another order.
  }
}

function unreadableToken(name: string, keys: readonly Key[]): PaymentsError {
  const known = keys.map((key) => key.name);
  const why =
    name === ''
      ? 'It is not encrypted as this kit encrypts it.'
      : known.includes(name)
        ? `The key ${name} is there, but the text was changed or belongs to another order.`
        : `It was encrypted with the key ${name}, and encryptionKeys and tokenSecrets have ${known.join(', ')}: put the former secret back into the list.`;
  const words = `The order’s recurring token cannot be decrypted, so nothing was charged. ${why}`;
  return new PaymentsError('recurring_token_unreadable', words);
}
