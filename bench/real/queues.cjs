/** Steps under way at once, of every contestant; and the task queues of the hand-written program. */
module.exports = { SLOTS: 2, QUEUE: 'bench-by-hand', STEPS_QUEUE: 'bench-by-hand-steps' };
