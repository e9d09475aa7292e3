import { generateKeyPairSync, sign } from 'node:crypto';

/** A certificate for a host, or of an authority, with its key; both PEM. */
export interface Certificate {
  readonly key: string;
  readonly cert: string;
  readonly issuedTo: string;
}

/** A certificate that nobody vouches for, for `localhost` and 127.0.0.1. */
export const selfSigned = (): Certificate => makeCertificate('localhost');

/** An authority, which may sign certificates of others. */
export const makeAuthority = (name: string): Certificate =>
  makeCertificate(name, undefined, [
    extension([0x55, 0x1d, 0x13], sequence(node(0x01, Buffer.from([0xff])))),
  ]);

/** A certificate for a host, signed by an authority or by itself. */
export function makeCertificate(
  host: string,
  authority?: Certificate,
  extensions = [hostNames(host)],
): Certificate {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  const ed25519 = sequence(node(0x06, Buffer.from([0x2b, 0x65, 0x70])));
  const body = sequence(
    node(0xa0, node(0x02, Buffer.from([2]))),
    node(0x02, Buffer.from([1])),
    ed25519,
    named(authority?.issuedTo ?? host),
    sequence(time(Date.now() - 3_600_000), time(Date.now() + 86_400_000)),
    named(host),
    publicKey.export({ type: 'spki', format: 'der' }),
    node(0xa3, sequence(...extensions)),
  );
  const signed = sign(null, body, authority?.key ?? privateKey);
  const signature = node(0x03, Buffer.concat([Buffer.from([0]), signed]));
  const base64 = sequence(body, ed25519, signature).toString('base64').replaceAll(/.{64}/g, '$&\n');
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    cert: `-----BEGIN CERTIFICATE-----\n${base64}\n-----END CERTIFICATE-----\n`,
    issuedTo: host,
  };
}

function named(name: string): Buffer {
  const commonName = node(0x06, Buffer.from([0x55, 0x04, 0x03]));
  return sequence(node(0x31, sequence(commonName, node(0x0c, Buffer.from(name)))));
}

function hostNames(host: string): Buffer {
  const loopback = host === 'localhost' ? [node(0x87, Buffer.from([127, 0, 0, 1]))] : [];
  return extension([0x55, 0x1d, 0x11], sequence(node(0x82, Buffer.from(host)), ...loopback));
}

const extension = (id: readonly number[], value: Buffer): Buffer =>
  sequence(node(0x06, Buffer.from(id)), node(0x04, value));

const sequence = (...parts: readonly Buffer[]): Buffer => node(0x30, Buffer.concat(parts));

/** One value of DER: its tag, its length, itself. */
function node(tag: number, value: Buffer): Buffer {
  const { length } = value;
  const size =
    length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...size]), value]);
}

const time = (at: number): Buffer =>
  node(0x18, Buffer.from(`${new Date(at).toISOString().replaceAll(/\D/g, '').slice(0, 14)}Z`));
