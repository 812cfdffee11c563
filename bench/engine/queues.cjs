/** Task queues of the bench; `control` and the fleet's are Slipway's own. */
module.exports = { STEPS: 'bench-steps', FLOOR: 'bench-floor', FLOOR_STEPS: 'bench-floor-steps' };
