const { condition, defineUpdate, setHandler } = require('@temporalio/workflow');

/** Answers an Update at once, and does nothing else. */
exports.bare = async function bare() {
  setHandler(defineUpdate('nothing'), () => 'nothing');
  await condition(() => false);
};
