import { fetchJson } from 'openrfq/test/wallet.ts'

/** The parts that the `/readyz` of a service says do not serve, whether or not it takes requests. */
export const absentParts = async ({ url }: { readonly url: string }): Promise<readonly string[]> => {
  const { body } = await fetchJson<{ missing?: readonly string[]; degraded?: readonly string[] }>(
    `${url}/readyz`,
  )
  return [...(body.missing ?? []), ...(body.degraded ?? [])]
}
