/** The parts of `GET /sandbox` that the console uses. */
export type Sandbox = {
  readonly chains: readonly {
    readonly chainId: string
    readonly chainType: string
    readonly rpcUrl: string
    readonly subscriptionsUrl?: string
    readonly networkPassphrase?: string
  }[]
  readonly accounts: readonly {
    readonly chainType: string
    readonly address: string
    readonly privateKey: string
  }[]
  readonly tokens: readonly {
    readonly chainId: string
    readonly stellar?: { readonly code: string; readonly issuer: string }
  }[]
  readonly solvers: readonly { readonly mode: string }[]
}

const isList = (value: unknown): boolean => Array.isArray(value)

/** The sandbox of the service, which the page is marked with; undefined where there is none, or where it is not for this page. */
export const findSandbox = async (baseUrl: string): Promise<Sandbox | undefined> => {
  if (document.documentElement.dataset['sandbox'] === undefined) return undefined
  const response = await fetch(new URL('sandbox', baseUrl)).catch(() => undefined)
  if (response?.ok !== true) return undefined
  const described: unknown = await response.json()
  const { chains, accounts, tokens, solvers } = Object(described)
  // CAST: the service's own sandbox says so.
  return [chains, accounts, tokens, solvers].every(isList) ? (described as Sandbox) : undefined
}

/** Uses one of the sandbox's controls. Rejects with its refusal. */
export const control = async (baseUrl: string, name: string, body: unknown): Promise<void> => {
  const response = await fetch(new URL(`sandbox/${name}`, baseUrl), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  if (!response.ok) throw new Error(Object(await response.json()).error?.message ?? `HTTP ${response.status}`)
}
