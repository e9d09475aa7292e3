import { html } from '../../pages/html.ts';

/**
 * The HTML of a sale that needs 3-D Secure (§4.4): shown by the merchant, whole page or framed, it
 * posts itself to the challenge. The button is for browsers that run no script.
 */
export function challengeForm(action: string): string {
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <title>3-D Secure</title>
      </head>
      <body>
        <form method="post" action="${action}">
          <button type="submit">Continue to your bank · المتابعة إلى البنك</button>
        </form>
        <script>
          document.forms[0].submit();
        </script>
      </body>
    </html>`.toString();
}
