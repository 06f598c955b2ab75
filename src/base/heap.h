// How the C library's heap treats large blocks.
//
//   int main() { give_large_blocks_back(); ... }
//   void play() { keep_large_blocks(); ... }       // from here on: each step needs the same again
#pragma once

namespace phlo {

/// Blocks of a megabyte and more go back to the system as soon as they are freed. Left alone, the heap learns to keep ever larger ones: grids and columns of
/// particles that come and go leave holes, half as much again as what is used.
void give_large_blocks_back();

/// They stay with the process: a picture that is made thirty times a second would be given fresh pages, and the system zero them, every time.
void keep_large_blocks();

}  // namespace phlo
