import { type SolanaNode, startSolanaNode } from '../src/solana/index.ts'

/** Below the ports that the system hands out. */
const LOWEST_PORT = 20_000
const TRIES = 20

/** Tests only: starts a node on a port whose next one is free, as web3.js expects it. The caller stops it. */
export const startOnNeighbouringPorts = async (
  options: Omit<Parameters<typeof startSolanaNode>[0], 'port'>,
): Promise<{ readonly node: SolanaNode; readonly port: number }> => {
  let port = LOWEST_PORT + 2 * (process.pid % 1_000)
  for (let tries = 0; tries < TRIES; tries += 1, port += 2) {
    const node = await startSolanaNode({ ...options, port })
    if (new URL(node.rpcUrl).port === `${port}` && node.subscriptionsUrl.endsWith(`:${port + 1}`))
      return { node, port }
    await node.stop()
  }
  throw new Error(`no two neighbouring ports are free up to ${port}`)
}
