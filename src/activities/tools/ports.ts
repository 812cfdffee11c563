export interface ToolServer {
  /** Writes a file while it streams. Throws TOOL_FILE_ABSENT, TOOL_REDIRECTED, TOOL_TOO_LARGE or TOOL_SERVER_SILENT. */
  download(from: ToolFile, path: string, signal: AbortSignal): Promise<void>;
}

export interface ToolFile {
  readonly url: string;
  /** Where the release file has the address: `tools.raymake.at`. */
  readonly place: string;
  /** For messages: `raymake 0.33.0, as .rayciversion says`. */
  readonly what: string;
}
