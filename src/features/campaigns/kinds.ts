import type { FeatureKinds } from '../../model/feature-kinds.js';

/** Campaigns: configuration that composes, and comments that start runs. */
export const campaigns = {
  /** `comments/OWNER/REPO/ID`: a comment was read. It is not read again. */
  records: { comments: { signer: 'control' } },
  workflows: {
    comment: { ids: ['comment/'], startedBy: ['door'] },
    comments: { ids: ['comments/'], startedBy: ['schedule'] },
  },
  programs: { hooks: { file: 'hooks.yaml', main: 'features/campaigns/node/door/main', secret: 'secret' } },
} as const satisfies FeatureKinds;
