// SPDX-License-Identifier: Apache-2.0
// Borsh, as Anchor's programs read and write it: little-endian numbers, lengths of 32 bits, no padding.

/// Bytes that are read from front to end.
typedef struct {
  const u8 *next;
  const u8 *end;
} Reader;

/// Bytes that are written one after the other.
typedef struct {
  u8 *start;
  u64 length;
} Writer;

/// The heap that the runtime gives to a program, of which writers take parts.
static u8 *const HEAP = (u8 *)0x300000000;
enum { HEAP_PART = 2048 };

static Writer open_writer(u64 part) { return (Writer){HEAP + part * HEAP_PART, 0}; }
static Slice written(const Writer *writer) { return (Slice){writer->start, writer->length}; }

static u64 read_bytes(Reader *reader, u64 length, const u8 **bytes) {
  REQUIRE(length <= (u64)(reader->end - reader->next), INVALID_INSTRUCTION);
  *bytes = reader->next;
  reader->next += length;
  return OK;
}

static u64 read_u8(Reader *reader, u8 *value) {
  const u8 *bytes;
  TRY(read_bytes(reader, 1, &bytes));
  *value = *bytes;
  return OK;
}

static u64 read_u64(Reader *reader, u64 *value) {
  const u8 *bytes;
  TRY(read_bytes(reader, sizeof(u64), &bytes));
  *value = *(const u64 *)bytes;
  return OK;
}

static u64 read_key(Reader *reader, const Key **key) {
  return read_bytes(reader, sizeof(Key), (const u8 **)key);
}

/// A string or a vector of bytes.
static u64 read_text(Reader *reader, Slice *text) {
  const u8 *bytes;
  TRY(read_bytes(reader, sizeof(u32), &bytes));
  text->length = *(const u32 *)bytes;
  return read_bytes(reader, text->length, (const u8 **)&text->bytes);
}

/// An option that must be none.
static u64 read_none(Reader *reader) {
  u8 tag;
  TRY(read_u8(reader, &tag));
  REQUIRE(tag == 0, INVALID_INSTRUCTION);
  return OK;
}

static bool is_same_text(Slice a, Slice b) {
  if (a.length != b.length) return false;
  for (u64 index = 0; index < a.length; index += 1)
    if (((const u8 *)a.bytes)[index] != ((const u8 *)b.bytes)[index]) return false;
  return true;
}

static void write_bytes(Writer *writer, const void *bytes, u64 length) {
  for (u64 index = 0; index < length; index += 1)
    writer->start[writer->length + index] = ((const u8 *)bytes)[index];
  writer->length += length;
}

static void write_u8(Writer *writer, u8 value) { write_bytes(writer, &value, 1); }
static void write_u64(Writer *writer, u64 value) { write_bytes(writer, &value, sizeof(u64)); }
static void write_key(Writer *writer, const Key *key) { write_bytes(writer, key, sizeof(Key)); }

static void write_text(Writer *writer, Slice text) {
  u32 length = text.length;
  write_bytes(writer, &length, sizeof(u32));
  write_bytes(writer, text.bytes, text.length);
}
