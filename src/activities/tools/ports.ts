export interface ToolFile {
  readonly url: string;
  /** For messages: `https://tools.example/1.0/raymake (raymake 1.0, as .rayciversion says)`. */
  readonly shown: string;
  /** `tools.raymake.at` */
  readonly path: string;
}

export interface ToolServer {
  /** Throws TOOL_FILE_ABSENT, TOOL_REDIRECTED, TOOL_SERVER_INSIDE, TOOL_TOO_LARGE or TOOL_SERVER_SILENT. */
  download(from: ToolFile, to: string, signal: AbortSignal): Promise<void>;
}
