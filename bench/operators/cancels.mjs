/** From the call of `cancel` to TERM at the step's program. */
export async function cancels({ ground, say, runs }) {
  const times = [];
  for (let run = 0; run < runs; run++) {
    const release = await ground.release({
      long: { run: `trap 'mark term; exit 1' TERM; mark up; while :; do sleep 0.01; done` },
    });
    await release.at('up');
    const asked = Date.now();
    await release.cancel();
    times.push((await release.at('term')) - asked);
    await release.ended();
  }
  say('cancel → TERM at the step', times, '1500 ms');
}
