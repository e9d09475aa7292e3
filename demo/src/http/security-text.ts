import { Router } from 'express';

const HALF_A_YEAR_MS = 180 * 86_400_000;

/**
 * `security.txt` (RFC 9116): where to report a weakness of the shop. A shop that is made from this
 * one puts its own contact here. The file must expire, and a file on disk would expire unseen.
 */
export function securityText(publicUrl: string, now: () => number): Router {
  const path = '/.well-known/security.txt';
  const router = Router();
  router.get(path, (_request, response) => {
    const lines = [
      'Contact: mailto:security@shop.example',
      `Expires: ${new Date(now() + HALF_A_YEAR_MS).toISOString()}`,
      'Preferred-Languages: en, ar',
      `Canonical: ${new URL(path, publicUrl).href}`,
    ];
    response.type('text/plain').send(`${lines.join('\n')}\n`);
  });
  return router;
}
