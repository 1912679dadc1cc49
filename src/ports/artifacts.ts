// Where output goes that is too long for a conversation.
export type ArtifactSink = {
  write(chunk: Uint8Array): void;
  /** Finishes the file and says where it is and how much of it was kept. */
  end(): { readonly path: string; readonly bytes: number };
};

export interface Artifacts {
  open(name: string): ArtifactSink;
}
