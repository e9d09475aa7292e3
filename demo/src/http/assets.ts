import { fileURLToPath } from 'node:url';
import express, { Router } from 'express';

const PUBLIC = fileURLToPath(new URL('../../public/', import.meta.url));

/** The two elements and the style that keeps their place, from the installed widget package. */
export function payElements(): Router {
  const router = Router();
  for (const file of ['pay-button.js', 'pay-status.js', 'reserve.css']) {
    const path = fileURLToPath(import.meta.resolve(`@pay-button/widget/dist/${file}`));
    router.get(`/${file}`, (_request, response) => {
      response.sendFile(path, { cacheControl: false, headers: { 'Cache-Control': 'no-cache' } });
    });
  }
  return router;
}

/** The shop's own style, script and drawings. */
export function assets(): Router {
  const router = Router();
  router.get('/favicon.ico', (_request, response) => {
    response.sendFile(`${PUBLIC}favicon.svg`);
  });
  router.use(express.static(PUBLIC, { index: false, redirect: false }));
  return router;
}
