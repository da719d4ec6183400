import { isFinished, type Message } from './message.ts'

/** An item of the relayer's history, found by its id and its source transaction. */
type Entry = { readonly id: string }

/** A bounded history, searchable by id and by further keys; the oldest entry is evicted first. */
type History<Item extends Entry> = {
  readonly get: (id: string) => Item | undefined
  /** Adds an item, or replaces the one with the same id in its place. */
  readonly put: (item: Item) => void
  readonly remove: (id: string) => void
  /** All items with the key, oldest first. */
  readonly find: (key: string) => readonly Item[]
  readonly all: () => IterableIterator<Item>
  /** Items that may still need work, oldest first. */
  readonly open: () => readonly Item[]
}

/** The relayer's in-memory records of messages. */
export type RelayHistory = {
  readonly messages: History<Message>
}

const createHistory = <Item extends Entry>(
  capacity: number,
  keysOf: (item: Item) => readonly string[],
  isOpenItem: (item: Item) => boolean,
): History<Item> => {
  const items = new Map<string, Item>()
  const openIds = new Set<string>()
  const idsByKey = new Map<string, Set<string>>()
  const remove = (id: string): void => {
    const item = items.get(id)
    if (item === undefined) return
    items.delete(id)
    openIds.delete(id)
    for (const key of keysOf(item)) {
      const ids = idsByKey.get(key)
      ids?.delete(id)
      if (ids?.size === 0) idsByKey.delete(key)
    }
  }
  const put = (item: Item): void => {
    const isNew = !items.has(item.id)
    items.set(item.id, item)
    if (isOpenItem(item)) openIds.add(item.id)
    else openIds.delete(item.id)
    if (!isNew) return
    for (const key of keysOf(item)) {
      const ids = idsByKey.get(key) ?? new Set()
      idsByKey.set(key, ids.add(item.id))
    }
    const [oldest] = items.keys()
    if (items.size > capacity && oldest !== undefined) remove(oldest)
  }
  const find = (key: string): readonly Item[] =>
    [...(idsByKey.get(key) ?? [])].flatMap((id) => items.get(id) ?? [])
  return {
    get: (id) => items.get(id),
    put,
    remove,
    find,
    all: () => items.values(),
    open: () => [...openIds].flatMap((id) => items.get(id) ?? []),
  }
}

/** Creates a history of at most `capacity` messages. Keys are hashes in lower case. */
export const createRelayHistory = (capacity: number): RelayHistory => ({
  messages: createHistory(
    capacity,
    (message) => [message.call.landing.txHash, message.commandId],
    (message) => !isFinished(message),
  ),
})
