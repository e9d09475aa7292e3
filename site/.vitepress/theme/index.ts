// The fonts of the machine: no page of ours loads one from elsewhere, nor a hundred kilobytes here.
export { default } from 'vitepress/theme-without-fonts';
import './look.css';
