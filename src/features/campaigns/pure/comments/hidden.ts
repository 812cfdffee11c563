/** Format and control characters, unpaired halves, blanks other than the plain ones, and what fonts draw as nothing. */
export const HIDDEN = /(?![ \t])[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Z}\p{DI}\u2800]/gu;

/** A line without invisible characters. Strange blanks are plain ones. */
export const bare = (line: string): string => line.replace(HIDDEN, (one) => (/\p{Z}/u.test(one) ? ' ' : ''));

export const linesIn = (text: string): readonly string[] => text.split(/\r\n|\n|\r/);
