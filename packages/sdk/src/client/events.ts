/** A server-sent event; the name of an unnamed one is `message`. */
export type ServerEvent = { readonly name: string; readonly id: string | undefined; readonly data: string }

/** Takes a stream's text in parts and returns the events that are complete. */
export type EventParser = (part: string) => readonly ServerEvent[]

type Fields = { name: string; id: string | undefined; data: string[] }

const nothing = (): Fields => ({ name: 'message', id: undefined, data: [] })

/** Creates a parser of one stream. Throws RangeError when an event exceeds `maxCharacters`. Source: HTML, 9.2.6. */
export const createEventParser = (maxCharacters: number): EventParser => {
  let rest = ''
  let fields = nothing()
  let length = 0
  const read = (line: string): ServerEvent | undefined => {
    if (line === '') {
      const { name, id, data } = fields
      fields = nothing()
      length = 0
      return data.length === 0 ? undefined : { name, id, data: data.join('\n') }
    }
    length += line.length
    if (length > maxCharacters) throw new RangeError(`an event exceeds ${maxCharacters} characters`)
    const [, field, value = ''] = /^([^:]*)(?:: ?(.*))?$/.exec(line) ?? []
    if (field === 'event') fields.name = value
    if (field === 'id') fields.id = value
    if (field === 'data') fields.data.push(value)
    return undefined
  }
  return (part) => {
    const lines = (rest + part).split(/\r\n|\n|\r(?=[^\n])/)
    rest = lines.pop() ?? ''
    if (rest.length > maxCharacters) throw new RangeError(`a line exceeds ${maxCharacters} characters`)
    return lines.flatMap((line) => read(line) ?? [])
  }
}
