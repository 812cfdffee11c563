export { createInterpreters } from './interpreters.js';
