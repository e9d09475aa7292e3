import { generateKeyPairSync, sign } from 'node:crypto';

/** A certificate that nobody vouches for, for `localhost` and 127.0.0.1, with its key; both PEM. */
export function selfSigned(): { readonly key: string; readonly cert: string } {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  const ed25519 = sequence(node(0x06, Buffer.from([0x2b, 0x65, 0x70])));
  const commonName = sequence(
    node(0x06, Buffer.from([0x55, 0x04, 0x03])),
    node(0x0c, Buffer.from('localhost')),
  );
  const name = sequence(node(0x31, commonName));
  const names = sequence(
    node(0x82, Buffer.from('localhost')),
    node(0x87, Buffer.from([127, 0, 0, 1])),
  );
  const extension = sequence(node(0x06, Buffer.from([0x55, 0x1d, 0x11])), node(0x04, names));
  const body = sequence(
    node(0xa0, node(0x02, Buffer.from([2]))),
    node(0x02, Buffer.from([1])),
    ed25519,
    name,
    sequence(time(Date.now() - 3_600_000), time(Date.now() + 86_400_000)),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    node(0xa3, sequence(extension)),
  );
  const signature = node(0x03, Buffer.concat([Buffer.from([0]), sign(null, body, privateKey)]));
  const base64 = sequence(body, ed25519, signature).toString('base64').replaceAll(/.{64}/g, '$&\n');
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    cert: `-----BEGIN CERTIFICATE-----\n${base64}\n-----END CERTIFICATE-----\n`,
  };
}

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
