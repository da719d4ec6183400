/**
 * A wallet in the browser. Source: EIP-1193.
 * @example
 * const provider: Eip1193Provider = { request: ({ method }) => Promise.reject(new Error(method)) }
 */
export type Eip1193Provider = {
  readonly request: (args: { readonly method: string; readonly params?: unknown }) => Promise<unknown>
}
