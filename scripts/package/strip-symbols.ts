const elfMagic = Buffer.from([0x7f, 0x45, 0x4c, 0x46]);
/** Of the ELF header: 64-bit, little-endian. */
const supportedClass = Buffer.from([2, 1]);

/**
 * Returns a Linux program or library without its symbol table and debug information, which only a debugger reads: everything
 * behind the parts that are loaded into memory, as `strip --strip-section-headers` removes it. Returns other files unchanged.
 */
export function stripSymbols(file: Buffer): Buffer {
  if (!file.subarray(0, 4).equals(elfMagic) || !file.subarray(4, 6).equals(supportedClass)) return file;
  const stripped = Buffer.from(file.subarray(0, endOfSegments(file)));
  // The section headers were in the part that is gone: e_shoff, e_shnum, e_shstrndx.
  stripped.writeBigUInt64LE(0n, 0x28);
  stripped.writeUInt16LE(0, 0x3c);
  stripped.writeUInt16LE(0, 0x3e);
  return stripped;
}

/** Returns where the last segment ends (e_phoff, e_phentsize, e_phnum; of each, p_offset and p_filesz). */
function endOfSegments(file: Buffer): number {
  const start = Number(file.readBigUInt64LE(0x20));
  const size = file.readUInt16LE(0x36);
  const count = file.readUInt16LE(0x38);
  const ends = Array.from({ length: count }, (_, index) => {
    const header = start + index * size;
    return Number(file.readBigUInt64LE(header + 0x08) + file.readBigUInt64LE(header + 0x20));
  });
  return Math.max(start + count * size, ...ends);
}
