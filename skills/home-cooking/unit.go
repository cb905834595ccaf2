package homecooking

import (
	"errors"
	"fmt"
	"math/big"
	"slices"
	"strings"

	"homebot/internal/text"
)

// dimension is what a unit measures.
type dimension int

const (
	count dimension = iota // 个, 瓣, pieces: nothing to convert
	mass
	volume
	temperature
)

// unit is one unit of measure. size is in grams or millilitres; a temperature
// has none.
type unit struct {
	names  []string // the first is shown; Latin ones in lower case
	dim    dimension
	size   *big.Rat
	metric bool
}

// units are those a kitchen uses. 1 斤 = 500 g and 1 两 = 50 g as in mainland
// China; cup, spoon and teaspoon are the kitchen's 240, 15 and 5 ml, which fit
// into one another; lb and oz are exact by definition.
var units = []unit{
	{[]string{"克", "g", "gram", "grams"}, mass, big.NewRat(1, 1), true},
	{[]string{"千克", "公斤", "kg", "kilogram", "kilograms", "kilo"}, mass, big.NewRat(1000, 1), true},
	{[]string{"毫克", "mg"}, mass, big.NewRat(1, 1000), true},
	{[]string{"斤", "市斤", "jin", "catty"}, mass, big.NewRat(500, 1), false},
	{[]string{"两", "市两", "liang", "tael"}, mass, big.NewRat(50, 1), false},
	{[]string{"磅", "lb", "lbs", "pound", "pounds"}, mass, big.NewRat(45359237, 100000), false},
	{[]string{"盎司", "oz", "ounce", "ounces"}, mass, big.NewRat(45359237, 1600000), false},
	{[]string{"毫升", "ml", "millilitre", "milliliter", "millilitres", "milliliters", "cc"}, volume, big.NewRat(1, 1), true},
	{[]string{"升", "公升", "l", "litre", "liter", "litres", "liters"}, volume, big.NewRat(1000, 1), true},
	{[]string{"杯", "cup", "cups"}, volume, big.NewRat(240, 1), false},
	{[]string{"勺", "汤匙", "大勺", "汤勺", "tbsp", "tablespoon", "tablespoons"}, volume, big.NewRat(15, 1), false},
	{[]string{"茶匙", "小勺", "tsp", "teaspoon", "teaspoons"}, volume, big.NewRat(5, 1), false},
	{[]string{"摄氏度", "°c", "℃", "c", "celsius", "度"}, temperature, nil, true},
	{[]string{"华氏度", "°f", "℉", "f", "fahrenheit"}, temperature, nil, true},
}

// findUnit finds a unit by any of its names.
func findUnit(name string) (unit, bool) {
	name = strings.TrimSuffix(strings.ToLower(strings.TrimSpace(text.ToSimplified(name))), ".")
	for _, u := range units {
		if slices.Contains(u.names, name) {
			return u, true
		}
	}
	return unit{}, false
}

// densities in grams per millilitre, as kitchens measure them: level, not packed.
// What is not here is not guessed.
var densities = []struct {
	names []string
	gPerL int64
}{
	{[]string{"水", "water", "高汤", "汤", "stock", "broth", "茶", "tea"}, 1000},
	{[]string{"牛奶", "奶", "milk", "酸奶", "yogurt", "yoghurt"}, 1030},
	{[]string{"油", "食用油", "植物油", "花生油", "橄榄油", "菜籽油", "香油", "芝麻油", "oil", "olive oil", "vegetable oil", "sesame oil"}, 920},
	{[]string{"酱油", "生抽", "老抽", "soy sauce", "light soy sauce", "dark soy sauce"}, 1150},
	{[]string{"醋", "陈醋", "米醋", "vinegar"}, 1010},
	{[]string{"料酒", "黄酒", "cooking wine", "shaoxing wine", "rice wine"}, 990},
	{[]string{"蜂蜜", "honey"}, 1420},
	{[]string{"糖", "白糖", "砂糖", "sugar", "white sugar"}, 840},
	{[]string{"盐", "食盐", "salt"}, 1200},
	{[]string{"面粉", "中筋面粉", "flour", "plain flour", "all-purpose flour"}, 530},
	{[]string{"淀粉", "玉米淀粉", "生粉", "starch", "cornstarch", "cornflour"}, 540},
	{[]string{"米", "大米", "rice"}, 840},
	{[]string{"黄油", "butter"}, 960},
	{[]string{"可可粉", "cocoa"}, 420},
}

func densityOf(ingredient string) (*big.Rat, bool) {
	name := strings.ToLower(strings.TrimSpace(text.ToSimplified(ingredient)))
	for _, d := range densities {
		if slices.Contains(d.names, name) {
			return big.NewRat(d.gPerL, 1000), true
		}
	}
	return nil, false
}

// errDimension: mass and volume need to know of what.
var errDimension = errors.New("weight and volume can be converted only for an ingredient whose density is known")

// convert turns x of one unit into another. exact is false when a density was
// used. ingredient may be "".
func convert(x *big.Rat, from, to unit, ingredient string) (y *big.Rat, exact bool, err error) {
	switch {
	case from.dim == temperature && to.dim == temperature:
		return convertTemperature(x, from, to), true, nil
	case from.dim == temperature || to.dim == temperature:
		return nil, false, fmt.Errorf("%s and %s do not measure the same", from.names[0], to.names[0])
	}
	y = new(big.Rat).Mul(x, from.size)
	exact = true
	if from.dim != to.dim {
		d, ok := densityOf(ingredient)
		if !ok {
			return nil, false, fmt.Errorf("%w: give ingredient (not known: %q), or weigh it", errDimension, ingredient)
		}
		if exact = false; from.dim == mass {
			d.Inv(d)
		}
		y.Mul(y, d)
	}
	return y.Quo(y, to.size), exact, nil
}

func convertTemperature(x *big.Rat, from, to unit) *big.Rat {
	y := new(big.Rat).Set(x)
	nine, five, thirtyTwo := big.NewRat(9, 5), big.NewRat(5, 9), big.NewRat(32, 1)
	switch {
	case from.names[0] == to.names[0]:
		return y
	case from.names[0] == "摄氏度":
		return y.Add(y.Mul(y, nine), thirtyTwo)
	default:
		return y.Mul(y.Sub(y, thirtyTwo), five)
	}
}
