import { useEffect, useState } from 'react'
import { findSandbox, type Sandbox } from './sandbox.ts'

/** The sandbox of the service, once it is wanted and described. */
export const useSandbox = (baseUrl: string, isWanted: boolean): Sandbox | undefined => {
  const [sandbox, setSandbox] = useState<Sandbox>()
  useEffect(() => {
    if (isWanted) void findSandbox(baseUrl).then(setSandbox)
  }, [baseUrl, isWanted])
  return sandbox
}
