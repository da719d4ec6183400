import { createLru } from './lru.ts'
import { type BucketSize, createTokenBucket, type TokenBucket } from './token-bucket.ts'

/** One token bucket for each key; the most recently used `kept` of them are remembered. `now` in milliseconds. */
export const createKeyedBuckets = (
  size: BucketSize,
  kept: number,
  now: () => number,
): ((key: string) => TokenBucket) => {
  const buckets = createLru<string, TokenBucket>(kept)
  return (key) => {
    const bucket = buckets.get(key) ?? createTokenBucket(size, now)
    buckets.set(key, bucket)
    return bucket
  }
}
