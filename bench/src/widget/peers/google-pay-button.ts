/** Google's own button, which loads the rest of itself from Google at run time. */
import '@google-pay/button-element';
