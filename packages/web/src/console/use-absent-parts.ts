import { useEffect, useState } from 'react'

const RENEWED_MS = 1_000

/** The parts that `/readyz` says do not serve, renewed while they are needed; empty while they are not known. */
export const useAbsentParts = (baseUrl: string, isNeeded: boolean): readonly string[] => {
  const [absent, setAbsent] = useState<readonly string[]>([])
  useEffect(() => {
    if (!isNeeded) return
    const controller = new AbortController()
    const { signal } = controller
    const read = async (): Promise<void> => {
      const response = await fetch(new URL('readyz', baseUrl), { signal }).catch(() => undefined)
      const body: unknown = await response?.json().catch(() => undefined)
      const { missing, degraded } = Object(body)
      if (!signal.aborted && Array.isArray(missing) && Array.isArray(degraded))
        setAbsent([...missing, ...degraded].map(String))
    }
    void read()
    const timer = setInterval(() => void read(), RENEWED_MS)
    return () => {
      controller.abort()
      clearInterval(timer)
    }
  }, [baseUrl, isNeeded])
  return absent
}
