// Package imagetest boots the SD-card image as it is published in an emulator,
// speaks to it, and takes away its power, its network, its disk and its memory.
// All of it is tests, and they run only with HOMEBOT_IMAGE=FILE.img, which
// deploy/pi/test sets; `make test-image` builds the image first.
package imagetest
