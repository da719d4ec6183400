/** JSON text with bigints as bare integers of any size, as Solana's nodes write u64. Undefined members are left out. */
export const encodeJson = (value: unknown): string => {
  if (typeof value === 'bigint') return value.toString()
  if (Array.isArray(value)) return `[${value.map((item) => encodeJson(item ?? null)).join(',')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const members = Object.entries(value)
    .filter(([, member]) => member !== undefined)
    .map(([name, member]) => `${JSON.stringify(name)}:${encodeJson(member)}`)
  return `{${members.join(',')}}`
}
