/** Labels that are decided when a pipeline is planned. */
const LABEL_WORDS = ['commit', 'date', 'minute'] as const;
export type LabelWord = (typeof LABEL_WORDS)[number];

export const isLabelWord = (text: string): text is LabelWord => LABEL_WORDS.some((word) => word === text);

/** Form of a label. It is a part of a workflow id, as a version is. */
export const LABEL_FORM = /^(?!.*\.\.)[A-Za-z0-9][A-Za-z0-9._+-]{0,79}$/;
export const LABEL_RULE =
  'a label has at most 80 letters, digits, ".", "_", "+" and "-", and begins with a letter or digit';
