package phrases

// What is wrong with the lights and buttons of a board, told in a terminal.
var (
	// LEDNoPin: the host lacks a GPIO line that is configured.
	LEDNoPin = Phrase{ZH: "本机没有这个 GPIO 引脚", EN: "no such GPIO pin on this host"}
	// LEDNoDriver: LEDNoPin, the line's name, and what the driver said.
	LEDNoDriver = Phrase{ZH: "%s：%s（原因：%s）", EN: "%s: %s: %s"}
	// LEDNoLine: LEDNoPin, the line's name, and the key of [led] that names it.
	LEDNoLine = Phrase{ZH: "%s：%s；请把 [led] %s 设成引脚名（用 gpioinfo 查看），或者设成 \"\"", EN: "%s: %s; set [led] %s to the name of a line (gpioinfo lists them) or to \"\""}
	// LEDNotDriven: a light cannot be switched; its line, and why.
	LEDNotDriven = Phrase{ZH: "接在 %s 上的灯：%s", EN: "light on %s: %s"}
	// LEDNoLamp: the host lacks an LED of the kernel that is configured.
	LEDNoLamp = Phrase{ZH: "本机没有这个 LED", EN: "no such LED on this host"}
	// LEDNoBoardLamp: LEDNoLamp, where the board's own one is wanted.
	LEDNoBoardLamp = Phrase{ZH: "%s：板上自带的那个；请把 [led] state 设成 /sys/class/leds 里的一个", EN: "%s: the board's own; set [led] state to one of /sys/class/leds"}
	// LEDDenied: LEDNoLamp, and what the operating system said to taking it.
	LEDDenied = Phrase{ZH: "%s（原因：%s）；不想用它，可以设 [led] state = \"\"", EN: "%s: %s; [led] state = \"\" does without it"}
)
