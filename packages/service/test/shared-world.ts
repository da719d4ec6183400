type World = { readonly stop: () => Promise<unknown> }

const started = new Set<Promise<World>>()
let isKept = false

const stopAll = async (): Promise<void> => {
  const worlds = [...started]
  started.clear()
  for (const world of worlds) await (await world).stop()
}

/** Keeps shared worlds for the next test file of this process. Returns what stops them all. */
export const keepWorlds = (): (() => Promise<void>) => {
  isKept = true
  return stopAll
}

/**
 * A world that the test files of one process share. `start` starts it at its first use; `stop` stops it unless worlds
 * are kept.
 */
export const shareWorld = <One extends World>(create: () => Promise<One>) => {
  let world: Promise<One> | undefined
  return {
    start: (): Promise<One> => {
      if (world === undefined) {
        world = create()
        started.add(world)
      }
      return world
    },
    stop: async (): Promise<void> => {
      if (!isKept) await stopAll()
    },
  }
}
