/** Adds answers to questions of one name, by the key of each question.
 * @param asks all questions of that name in one round of an import */
export type Answerer = (asks: readonly never[], into: Record<string, unknown>) => Promise<void>;

export interface AnswerPorts {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly home: string;
  /** Absolute folder of the release file. */
  readonly folder: string;
  /** True: nothing outside this machine may be asked. */
  readonly offline: boolean;
}
