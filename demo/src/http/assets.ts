import { fileURLToPath } from 'node:url';
import express, { Router } from 'express';

const PUBLIC = fileURLToPath(new URL('../../public/', import.meta.url));

/** The two elements and the style that keeps their place, as the widget package ships them. */
const elements = {
  'pay-button.js': import.meta.resolve('@pay-button/widget/dist/pay-button.js'),
  'pay-status.js': import.meta.resolve('@pay-button/widget/dist/pay-status.js'),
  'reserve.css': import.meta.resolve('@pay-button/widget/dist/reserve.css'),
};

/** Serves the elements to the shop's pages. */
export function payElements(): Router {
  const router = Router();
  for (const [file, address] of Object.entries(elements)) {
    const path = fileURLToPath(address);
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
