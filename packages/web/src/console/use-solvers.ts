import type { Client, SolverSummary } from '@openrfq/sdk'
import { useEffect, useState } from 'react'

/** Records change with orders that have ended, so not often. */
const RENEWED_MS = 30_000

/** The solvers and their records, renewed while they are needed; undefined until they are read. The last ones stay after a failed read. */
export const useSolvers = (client: Client, isNeeded: boolean): readonly SolverSummary[] | undefined => {
  const [solvers, setSolvers] = useState<readonly SolverSummary[]>()
  useEffect(() => {
    if (!isNeeded) return
    const controller = new AbortController()
    const { signal } = controller
    const read = (): void => {
      client.getSolvers({ signal }).then(
        (read) => {
          if (!signal.aborted) setSolvers(read)
        },
        () => undefined,
      )
    }
    read()
    const timer = setInterval(read, RENEWED_MS)
    return () => {
      controller.abort()
      clearInterval(timer)
    }
  }, [client, isNeeded])
  return solvers
}
